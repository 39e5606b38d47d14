/**
 * The texts of Learn in Spanish.
 *
 * @import { learn as english } from "./texts-en-learn.js"
 * @import { Translated } from "./texts.js"
 */

/** @satisfies {Translated<typeof english>} */
export const learn = {
  phases: { selection: "Selección", expansion: "Expansión", rollout: "Rollout", backup: "Retorno" },
  compareSide: {
    factorC: "Factor c",
  },
  compareTable: {
    best: "la mejor jugada", holds: "mantiene el resultado", fails: "echa a perder el resultado",
    simulations: "Simulaciones", plays: "Jugada", value: "Valor", visits: "Visitas", caption: "Qué juega la búsqueda",
  },
  compareWords: {
    simulations: "{simulations} simulaciones", plays: "tras {count} juega {move}",
    always: ", y ya no cambia", exactMove: "La mejor jugada exacta es {columns}.",
    exactMoves: "Las mejores jugadas exactas son {others} y {column}.",
  },
  learnCompare: {
    factors: "c = 0,3 y 3", rollouts: "Rollouts aleatorios y seguros", presets: "UCT y strong",
    againTitle: "Ambas búsquedas con otros números aleatorios", again: "Otros números aleatorios",
    title: "Comparar dos búsquedas",
    about: "La misma posición y los mismos números aleatorios. ¿Qué juega cada búsqueda tras más y más simulaciones?",
    settings: "Ajustes que comparar", over: "La partida ha terminado, no hay nada que buscar.",
  },
  learnControls: {
    play: "Reproducir (Espacio)", speed: "Velocidad", before: "Simulación anterior (↑)", back: "Atrás (←)",
    forward: "Adelante (→)", after: "Simulación siguiente (↓)", simulation: "Simulación", phases: "Fases",
    simulationOf: "Simulación {number} de {count}", pause: "Pausa (Espacio)",
    againTitle: "La misma búsqueda con otros números aleatorios", again: "Otros números aleatorios",
  },
  learnExplore: {
    title: "Explorar un árbol",
    about: "Abre una jugada para ver qué piensa la búsqueda de las respuestas. En cada nodo, la siguiente simulación " +
      "va al hijo con la puntuación UCB más alta; ∞ significa que aún no se ha probado, −∞ que no puede ser mejor " +
      "que lo demostrado.",
  },
  learnNode: {
    root: "La raíz: la posición del tablero", title: "Nodo {columns}: jugada de {name} en la columna {column}",
    close: "Cerrar (Esc)", closeTitle: "Cerrar el nodo", lastSelection: "La última selección aquí, columna {move}:",
    visits: "Visitas", value: "Valor", valueFor: "{mean} para {name}", score: "Puntuación",
    scoreThere: "{score} en la última selección", proven: "Demostrado", draw: "Empate", wins: "Gana {name}",
  },
  learnPlayer: {
    slow: "lento", normal: "normal", fast: "rápido", veryFast: "muy rápido",
  },
  learnScores: {
    caption: "Puntuaciones de los hijos", column: "Columna", bars: "Valor y exploración", score: "Puntuación",
    visits: "Visitas", formula: "puntuación = valor + c ",
    variance: ", V: cuánto varían los resultados",
    letters: "N: visitas del nodo, n: del hijo, c: factor de exploración{variance}", root: "Raíz",
    node: "Nodo", reward: "Recompensa", value: "Valor",
  },
  learnSteps: {
    over: "La partida ha terminado, no hay nada que buscar. Vuelve a una posición anterior al final.",
    known: "El resultado de esta posición se conoce sin buscar.", title: "Paso a paso",
  },
  learnTree: {
    label: "Árbol de {size} nodos. Intro abre un nodo; las flechas van a otros.", root: "raíz",
    node: "{who}: n {visits}, valor {mean}", tally: "\u2002n {visits}\u2002valor {mean}",
  },
  learnWords: {
    random: "ambos lados juegan al azar",
    decisive: "ambos lados ganan si pueden, paran una amenaza si deben, y si no, juegan al azar",
    safe: "ambos lados ganan si pueden, paran una amenaza si deben, y si no, juegan al azar, nunca debajo de una " +
      "amenaza",
    path: "Selección: {columns}. ", simulation: "Simulación {number}. {path}{words}", moves: " Jugadas: {columns}.",
    summary: "Simulación {number}. Selección: {columns}. {words}",
    noChildren: "La raíz aún no tiene hijos, así que no hay nada que seleccionar.",
    certainRoot: "El resultado es seguro ya en la raíz: no se selecciona nada.",
    rolloutAtRoot: "El rollout empieza en la propia raíz: no se selecciona nada.",
    selects: "{player} selecciona la columna {move}",
    randomOpponent: "{player} juega aquí al azar: sale la columna {move}.",
    untried: "{selects}: aquí aún no se ha probado.", proven: "{selects}: nada mejor es posible.",
    bestToo: "también tiene los mejores resultados hasta ahora",
    triedLess: "otras han ido mejor hasta ahora, pero esta se ha probado menos veces",
    highestScore: "{selects}, que tiene la puntuación más alta: {why}.",
    proving: ", y demuestran cómo termina aquí la partida", getsChildren: "El nodo recibe {count} hijos{proof}.",
    newNode: "La columna {leaf} se prueba aquí por primera vez: un nuevo nodo se une al árbol.",
    rootGetsChildren: "La raíz recibe un hijo por cada una de las {count} columnas abiertas, y se prueba la columna " +
      "{leaf}.",
    reachedAgain: "Se llega a este nodo por segunda vez: recibe un hijo por cada una de las {count} columnas " +
      "abiertas, y se prueba la columna {leaf}.",
    draw: "la partida es un empate", wins: "gana {name}",
    noRollout: "Sin rollout: el resultado es seguro aquí, {result}.",
    over: "La partida termina aquí: {result}.",
    rollout: "Desde aquí {policy}, hasta el final de la partida. Tras {length}, {result}.",
    newProofs: " También suben nuevas demostraciones.",
    allVisits: "los {length} nodos del camino reciben una visita más",
    bothVisits: "los dos nodos del camino reciben una visita más", rootVisit: "la raíz recibe una visita más",
    isDraw: "Empate", hasWon: "Ha ganado {name}", drawReward: "la recompensa de un empate",
    winReward: "los nodos de las jugadas de {name}, la recompensa de una victoria",
    backup: "{end}: {count}, y {reward}.{proven}",
  },
  learn: {
    steps: "Paso a paso", tree: "Explorar un árbol", compare: "Comparar", label: "Qué mirar",
  },
};
