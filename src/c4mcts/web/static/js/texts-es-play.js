/**
 * The texts of Play, Review and Puzzles in Spanish.
 *
 * @import { play as english } from "./texts-en-play.js"
 * @import { Translated } from "./texts.js"
 */

/** @satisfies {Translated<typeof english>} */
export const play = {
  betterMoves: {
    show: "Mostrar la jugada", betterLine: "Mejor línea", refutation: "Refutación", nextTitle: "Siguiente (N)",
    back: "Volver a la revisión", right: "Correcto: {column} {does}.", isFastest: "{columns} es la más rápida.",
    isBest: "{columns} es la mejor.", rightAsWell: "Correcto: {column} también {does}. {best}",
    wasPlayed: "{column} es lo que se jugó.", oneMoreTry: "{wrong} Un intento más.",
    solution: "{words}La mejor jugada es {columns}: {does}.",
    titleOf: "Encuentra la mejor jugada ({at} de {length})", title: "Encuentra la mejor jugada",
    played: "Jugada {ply}: {name} jugó {column}, {kind}.", nextMistake: "Siguiente error", done: "Listo",
    summary: "Has encontrado la mejor jugada en {found} de {count}.", isBetter: "es mejor", wins: "gana",
    holdsTheDraw: "mantiene el empate", isNotTheBestMove: "{column} no es la mejor jugada.",
    doesNotWin: "{column} no gana.", loses: "{column} pierde.", whatIsBetter: "¿Qué es mejor para {name}?",
    howToWin: "¿Cómo gana {name}?", howToHold: "{name} puede mantener el empate: ¿cómo?",
  },
  match: {
    noClock: "Sin reloj", oneMinute: "1 min + 1 s", threeMinutes: "3 min + 2 s", fiveMinutes: "5 min + 3 s",
  },
  playMatch: {
    hint: "Pista", takeBack: "Retroceder", resign: "Rendirse", pause: "Pausa", review: "Revisión", rematch: "Revancha",
    anotherGame: "Otra partida", paused: "En pausa", lookingBack: "Vuelta a la jugada {ply}", continue: "Continuar",
    draw: "Empate", byResignation: " por abandono", youResigned: ": te has rendido", onTime: " por tiempo",
    youWin: "Ganas{how}", wins: "Gana {name}{how}", yourMove: "Te toca", toMove: "Turno de {name}",
    thinking: "{name} está pensando",
  },
  playSetup: {
    aLevel: "Un nivel", twoPeople: "Dos personas", twoEngines: "Dos motores", opponent: "Rival",
    youPlay: "Juegas con", first: "{name}, primero", second: "{name}, segundo", clock: "Reloj", start: "Empezar",
    continueHere: "Continuar desde esta posición", title: "Una partida",
    clickBegins: "Un clic en el tablero empieza la partida.",
    clickContinues: "Un clic en el tablero continúa desde esta posición; Empezar inicia una partida nueva.",
    moveBegins: "Tu primera jugada en el tablero empieza la partida.",
    levelFirst: "Un clic en el tablero empieza la partida. El nivel juega primero.", level: "Nivel",
    preset: "{name}: perfil", simulationsPerMove: "Simulaciones por jugada",
  },
  play: {
    thinking: "Pensando …", provenHint: "Pista: columna {move}, {result}.",
    hint: "Pista: columna {move}, valor {winrate}.", resignQuestion: "¿Rendirte en esta partida?", resign: "Rendirse",
    over: "La partida ha terminado.",
    earlier: "Esta es una posición anterior. Ve al final (Fin) para continuar, o retrocede jugadas.",
    otherTurn: "Le toca al otro lado.",
  },
  puzzlePanel: {
    show: "Mostrar la solución", next: "Siguiente problema", nextTitle: "Siguiente (N)", analyse: "Análisis",
    analyseTitle: "Abrir la posición en Análisis", theme: "Tema de los próximos problemas",
    level: "Desde el nivel {level}, el motor la encuentra.", oneMove: "Solo una jugada es correcta.",
    about: "Problema {number}, puntuación {elo}. {words}", showLine: "Mostrar la línea", rating: "Puntuación",
    streak: "Racha", streaks: "{streak}, la más larga {longest}", solved: "Resueltos", solvedOf: "{solved} de {count}",
  },
  puzzleProgress: {
    unreadable: "La puntuación guardada de los problemas no se puede leer; se ha apartado.",
  },
  puzzleWords: {
    themes: {
      all: "Todos los temas",
      win: "Victoria",
      draw: "Salvar el empate",
      "double threat": "Doble amenaza",
      "stacked threats": "Amenazas apiladas",
      zugzwang: "Zugzwang",
      "odd threat": "Amenaza impar",
      "even threat": "Amenaza par",
      "forced replies": "Respuestas forzadas",
      "quiet move": "Jugada tranquila",
    },
    meanings: {
      "double threat": "Doble amenaza: al final, dos jugadas ganadoras a la vez, de las que solo se puede parar una.",
      "stacked threats": "Amenazas apiladas: al final, parar una jugada ganadora permite otra justo encima.",
      zugzwang: "Zugzwang: al final no se amenaza nada, pero cada jugada permite una ganadora justo encima.",
      "odd threat": "Amenaza impar: la última casilla está en una fila impar, contada desde abajo.",
      "even threat": "Amenaza par: la última casilla está en una fila par, contada desde abajo.",
      "forced replies": "Respuestas forzadas: cada jugada amenaza con ganar de inmediato.",
      "quiet move": "Jugada tranquila: la primera jugada no amenaza con ganar de inmediato.",
    },
    winTask: "{name} gana en {depth} jugadas",
    drawTask: "{name} salva el empate",
    winSolution: "{column} gana en {depth} jugadas",
    drawSolution: "{column} mantiene el empate",
    bestPlay: "Mejor juego: {columns}{more}",
    notTheMove: "{column} no es la jugada.",
    onlyDraws: "{column} solo empata: {columns} es la respuesta.",
    loses: "{column} pierde en {moves}: {columns} es la respuesta.",
  },
  puzzles: {
    solution: "La solución: ", title: "Problemas", loading: "Cargando …",
    noPuzzle: "No hay un problema {puzzle}: van del 1 al {count}.", task: "{task}. Encuentra la primera jugada.",
    slower: "{column} también gana, pero no tan rápido. Inténtalo otra vez.", right: "Correcto: ",
    rightSoFar: "Correcto.", defence: "Correcto. {column} es la defensa más larga. Encuentra la siguiente jugada.",
    wrong: "{refutation} Inténtalo otra vez.",
  },
  reviewWords: {
    kinds: { best: "la mejor", good: "buena", only: "la única jugada", inaccuracy: "imprecisión", mistake: "error",
      "missed win": "victoria perdida", blunder: "error grave" },
    kindsWithArticle: { mistake: "un error", "missed win": "una victoria perdida", blunder: "un error grave" },
    unfinished: "Sin terminar tras {count}", draw: "Empate tras {count}", won: "{name} ganó en {count}",
    learnLabel: "Aprender de los errores: {name}", learn: "Aprender de los errores", noMistakes: "sin errores",
    move: "Jugada {ply}, {name} {column}: {kind}{worth}.", best: "Mejor: {columns}{worth}.",
    shouldPlay: "Aquí {name} debería jugar {columns}, pero jugó {column}.",
    help: "Recorre las jugadas con ← y →, o haz clic en el gráfico.", worth: ", puntuación {score}",
    estimates: "Todos los valores son estimaciones de la búsqueda.",
    exactFrom: "Las puntuaciones son exactas desde la jugada {move}; antes, los valores son estimaciones de la " +
      "búsqueda.",
  },
  review: {
    betterMove: "Mejor jugada", refutation: "Refutación", find: "Encontrar la mejor jugada",
    title: "Revisión",
    nothing: "Juega una partida, abre una o pega sus jugadas para ver aquí cuánto valía cada una.",
    reviewing: "Revisando …", progress: "{reviewed} de {moves} jugadas",
    course: "Curso de la partida",
  },
  seats: {
    levelNames: ["Principiante", "Ocasional", "En progreso", "Jugador de club", "Buen jugador de club", "Experto",
      "Aspirante a maestro", "Maestro", "Gran maestro", "Perfecto"],
    levels: [
      "Pasa por alto una de cada tres amenazas y no ve trampas. Tan fuerte como aprovechar las victorias, parar las " +
        "amenazas y, si no, jugar al azar.",
      "Ve casi todas las victorias y amenazas, pero solo una de cada tres trampas.",
      "Ve tres de cada cuatro trampas.",
      "Ve todas las trampas. Tan fuerte como UCT simple con 100 simulaciones por jugada.",
      "Entre UCT simple con 100 y con 1000 simulaciones por jugada.",
      "Casi tan fuerte como UCT simple con 1000 simulaciones por jugada.",
      "Más fuerte que UCT simple con 1000 simulaciones por jugada.",
      "Más fuerte que UCT simple con 10.000 simulaciones por jugada.",
      "Una búsqueda de un milisegundo. Gana siete de cada diez puntos contra el nivel 8.",
      "Juega según puntuaciones exactas: nunca deja escapar una victoria o un empate.",
    ],
    notMeasured: "Su fuerza en este tablero no se ha medido.", elo: "Elo {elo}. {ability}", you: "Tú",
    levelName: "Nivel {number}, {name}", engineName: "{preset}, {visits} simulaciones",
    opinion: "{worth}, espera {columns}{more}",
  },
};
