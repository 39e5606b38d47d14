/**
 * The texts of the page around the modes, of Analyse, and of what all modes share in Spanish.
 *
 * @import { page as english } from "./texts-en-page.js"
 * @import { Translated } from "./texts.js"
 */

/** @satisfies {Translated<typeof english>} */
export const page = {
  colours: { yellow: "Amarillo", red: "Rojo", none: "vacía" },
  proofs: { win: "gana", draw: "empata", loss: "pierde" },
  proofLetters: { win: "G", draw: "E", loss: "P" },
  index: {
    skip: "Saltar el tablero", whole: "Abrir la página entera", modes: "Modos", present: "Presentar",
    presentTitle: "Presentar (P)", help: "Ayuda", helpTitle: "Ayuda (?)", game: "Partida",
    variations: "Jugadas y variantes", mode: "Modo",
  },
  rules: { width: "Anchura", height: "Altura", connect: "Longitud de la línea" },
  address: {
    problem: "La dirección: {problem}",
  },
  analyse: {
    legend: "Exacto: + gana, 0 empata, − pierde; ,50: un valor ", legendVisits: " visitas", tree: "Árbol",
    searchIsOff: "La búsqueda está parada.", course: "Curso de la partida, posición {ply} de {count} en el tablero",
    announcement: "{verdict}. Mejor columna: {column}.", simulations: "{visits} simulaciones", nodes: "{nodes} nodos",
    megabytes: "{megabytes} MB",
  },
  board: {
    column: "Columna {column}: desde abajo {discs}", emptyColumn: "Columna {column}: vacía",
  },
  confirmation: {
    cancel: "Cancelar", endAgainstLevel: "¿Terminar la partida contra el nivel {number}?",
    end: "¿Terminar la partida?", endButton: "Terminar la partida", undoBringsBack: "Deshacer (Ctrl Z) la recupera.",
  },
  connection: {
    closed: "La conexión con el motor está cerrada.", noAnswer: "El servidor no responde.",
    noResult: "El servidor no encontró un resultado a tiempo.", lost: "Se ha perdido la conexión con el motor.",
  },
  controls: {
    oneSecond: "1 s", fiveSeconds: "5 s", halfMinute: "30 s", twoMinutes: "2 min", noLimit: "sin límite",
    title: "Iniciar o parar (Espacio)", time: "Tiempo", threads: "Hilos", stop: "Parar", proven: "Demostrado",
    continue: "Continuar", start: "Iniciar",
    oneThread: "Este motor tiene un solo hilo; en un servidor, c4mcts web tiene más.",
  },
  draft: {
    refusal: "Hay {count}: los jugadores se turnan, así que uno solo puede tener una ficha más que el otro.",
    count: "{count} y {red} rojas",
  },
  editorBoard: {
    label: "Casillas del tablero", cell: "Columna {column}, fila {row}: {disc}",
  },
  editor: {
    yellow: "Amarillo", red: "Rojo", remove: "Quitar", disc: "Ficha", toMove: "Turno", undo: "Deshacer",
    undoTitle: "Deshacer (Ctrl Z)", clear: "Vaciar", clearTitle: "Quitar todas las fichas",
    cleared: "Se han quitado todas las fichas.", reset: "Restablecer", resetTitle: "Como en el tablero de la página",
    wasReset: "La posición está como antes.", title: "Preparar una posición",
    help: "Una ficha cae a la casilla libre más baja. Elige una ficha del otro color para cambiarla.",
    helpKeys: " Teclas: flechas e Intro; Y, R, Supr para amarillo, rojo, quitar.", cancel: "Cancelar",
    use: "Usar esta posición", emptyColumn: "La columna {column} está vacía.",
    fullColumn: "La columna {column} está llena.", place: "columna {column}, fila {row}",
    removed: "Quitada: {where}.", placed: "{colour} en {where}.", undone: "Deshecho.",
    state: "{words} {count}. Turno de {colour}.",
  },
  explanation: {
    check: "Explicar la posición", wins: "{mover} gana con {columns}.",
    doubleThreat: "{other} amenaza con ganar con {columns}: {mover} solo puede parar una.",
    mustPlay: "{mover} debe jugar {columns}.",
    inZugzwang: "{mover} está en zugzwang: cada columna deja que {other} gane justo encima.",
    belowThreat: "Una ficha en {columns} deja que {other} gane justo encima.",
    hasZugzwang: "{winner} tiene el zugzwang: con el mejor juego, {loser} debe jugar al final debajo de {cell}.",
    threats: "Amenazas de {name}: {cells}.", nothing: "Ningún jugador amenaza nada todavía.",
    oddCell: "columna {column}, fila {row} (impar)", evenCell: "columna {column}, fila {row} (par)", or: " o ",
  },
  format: {
    toMove: "Turno de {name}.", isDraw: "La partida es un empate.", hasWon: "Ha ganado {name}.",
    provenIn: "{word} en {distance}",
  },
  gameChoice: {
    players: "{first} y {second}", titleOfFirst: "Elige una de las primeras {most} de {count} partidas",
    title: "Elige una de {count} partidas", cancel: "Cancelar", open: "Abrir",
  },
  gameFiles: {
    noJson: "Lo que sigue a las jugadas no es JSON.",
  },
  gameText: {
    problem: "Carácter {place}{problem}", openParenthesis: "Carácter {place}: un paréntesis no está cerrado.",
    comma: ": una coma debe seguir a una jugada.", commentString: ": el comentario no es una cadena de JSON.",
    commentPlace: ": un comentario debe seguir a su jugada.",
    variationPlace: ": una variante debe seguir a la jugada a la que es alternativa.",
    closesNothing: ", «)», no cierra nada.", emptyVariation: ": la variante no tiene jugadas.",
    numbers: "con comas, las jugadas son números desde 0", digits: "sin comas, las jugadas son cifras desde 1",
    noColumn: ", «{text}», no es una columna: {how}.", missingComma: ": falta una coma antes de la jugada.",
    duplicate: ": la columna {token} ya está como alternativa.",
    tooMany: ": una partida tiene como máximo {most} jugadas en todas las variantes.",
  },
  game: {
    noColumn: "No hay columna {column}: el tablero tiene las columnas {first} a {width}.",
    over: "La partida ha terminado.", full: "La columna {column} está llena.",
  },
  graph: {
    yellowWins: "Gana Amarillo", draw: "Empate", redWins: "Gana Rojo",
  },
  header: {
    analyse: "Análisis", play: "Jugar", learn: "Aprender", review: "Revisión", puzzles: "Problemas",
    autoTheme: "Tema: como el sistema", lightTheme: "Tema: claro", darkTheme: "Tema: oscuro",
    noDiagonals: ", sin diagonales", rules: "{width} × {height}, {connect} en línea{diagonals}",
    rulesTitle: "Cambiar el tablero", keys: "Teclas",
    help: "Las columnas se cuentan desde 1. Un valor es el resultado esperado de un jugador: 1 una victoria, ½ un " +
      "empate, 0 una derrota. Las puntuaciones son las del solucionador: +1 gana con la última ficha, +2 con una " +
      "ficha de sobra y así sucesivamente, −1 y −2 lo mismo para el otro lado; 0 es un empate.",
    sound: "Sonido de las fichas", language: "Idioma", ofBrowser: "el del navegador", close: "Cerrar",
  },
  installation: {
    newVersion: "Hay una nueva versión de esta página. Tu partida se conserva.", reload: "Recargar",
  },
  keyboard: {
    play: "jugar una columna", backAndForward: "atrás o adelante", homeAndEnd: "Inicio Fin",
    toStartOrEnd: "al inicio o al final", space: "Espacio",
    startOrStop: "iniciar o parar la búsqueda; en Aprender: reproducir o pausa",
    inLearn: "en Aprender: una fase atrás o adelante, la simulación anterior o la siguiente", hint: "pista",
    next: "el siguiente problema o error", swap: "intercambiar los colores",
    present: "presentar: pantalla completa, letra grande; P o Esc lo termina", tab: "Tab",
    toTheBoard: "al tablero; allí ← → eligen una columna, Intro la juega", controlZ: "Ctrl Z",
    undo: "deshacer; Ctrl Mayús Z o Ctrl Y: rehacer", controlV: "Ctrl V",
    paste: "poner una posición copiada en el tablero", help: "esta lista",
  },
  main: {
    played: "{name} jugó la columna {column}.", position: "Posición tras {ply} jugadas.",
    failed: "{reason} Tu partida se conserva.", restart: "Reiniciar",
    trying: "{reason} Nuevo intento; tu partida se conserva.",
  },
  movesTable: {
    move: "Col.", result: "Resultado", search: "Valor", visits: "Visitas", line: "Línea",
    caption: "Jugadas, la mejor primero", play: "Jugar la columna {column}",
    expected: "Lo que espera la búsqueda, no el mejor juego",
  },
  notation: {
    tooLong: "Un texto de {length} caracteres es demasiado largo para una posición.",
    puzzleLink: "Es un enlace a un problema: ábrelo en la barra de direcciones.",
    longAddress: "Esta dirección es demasiado larga para una posición.",
    address: "La parte de la dirección tras # no se puede leer.",
    noBoard: "«{text}» no es un tablero: escribe, por ejemplo, 7x6x4.",
    limit: "{name}: en esta página de {low} a {high}, no {number}.",
    wideBoard: "Con más de 9 columnas, escribe las jugadas como lista con comas, columnas desde 0: 3,11,2.",
    noDigit: "El carácter {index}, «{letter}», no es una columna: sin comas, las jugadas son cifras desde 1.",
    character: "carácter {index}",
    noNumber: "El elemento {index}, «{shown}», no es una columna: con comas, las jugadas son números desde 0.",
    entry: "elemento {index}", illegal: "Jugada {number} ({place}): {refusal}",
  },
  notebook: {
    swapColours: "Intercambiar los colores",
  },
  openingWords: {
    allLose: "todas pierden", winning: ["{count} de {replies} gana", "{count} de {replies} ganan"],
    drawing: ["{count} de {replies} empata", "{count} de {replies} empatan"],
    otherBoard: "El libro es para 7 × 6, cuatro en línea.",
    end: "El libro tiene todas las posiciones de hasta 12 fichas, y de las de hasta 24, aquellas a las que lleva el " +
      "mejor juego.",
  },
  openings: {
    move: "Col.", result: "Resultado", replies: "Respuestas", leadsTo: "Lleva a",
    caption: "Jugadas del libro de aperturas, la mejor primero", title: "Libro de aperturas",
    over: "La partida ha terminado.", play: "Jugar la columna {move}",
  },
  positions: {
    problem: "{problem} La partida no cambia.", noMoves: "Leído como una posición sin jugadas.",
    list: "Leído como las columnas {columns}{more} del tablero: una lista con comas cuenta las columnas desde 0.",
    digits: "Leído como las columnas {columns}{more} del tablero: las cifras cuentan las columnas desde 1.",
  },
  presets: {
    strong: "Con lo que juega c4mcts: rollouts sin errores graves, demostraciones y el solucionador exacto.",
    uct: "UCT simple, como en los libros: rollouts aleatorios, c = 1,41 y nada más.",
    perfect: "«strong» con el libro de todas las posiciones de hasta 12 fichas.",
    network: "PUCT con una pequeña red del paquete en lugar de rollouts, con demostraciones y el solucionador exacto.",
    "uct-timed": "El programa de un blog: UCT simple para el que un empate es una derrota de ambos jugadores.",
    "report-minimax": "Un trabajo de curso: UCT simple con recompensas de −1 a 1; las posiciones a las que se llega " +
      "de dos formas son una sola.",
    "report-random": "El mismo trabajo de curso, con un rival que juega al azar.",
    "notebook-uct": "Un notebook de clase: un empate cuenta como derrota, y se juega la jugada de mayor valor.",
    "no-diagonals": "Un juego de escritorio sin diagonales: juega la jugada con la puntuación más alta y prefiere " +
      "las victorias rápidas.",
  },
  rulesDialog: {
    columns: "Columnas", rows: "Filas", inARow: "En línea", diagonals: "Las diagonales cuentan", cancel: "Cancelar",
    newGame: "Nueva partida", title: "Otro tablero",
  },
  searchFields: {
    random: "aleatorios", decisive: "decididos", safe: "seguros", ofPreset: "los del perfil", preset: "Perfil",
    exploration: "Factor de exploración c", placeholder: "el del perfil",
    refusal: "El factor de exploración c es un número de 0 a {most}, no {text}.", rollouts: "Rollouts",
  },
  share: {
    title: "Compartir", link: "Enlace", moves: "Jugadas", python: "Python", kaggle: "Kaggle", drawing: "Dibujo",
    onYourPage: "En tu página", png: "PNG", svg: "SVG", animation: "SVG animado de la partida", close: "Cerrar",
    copyLabel: "Copiar: {name}", copied: "{name}: copiado.",
    notAllowed: "El navegador no permite copiar; el texto está seleccionado, Ctrl C lo copia.", copy: "Copiar",
  },
  status: {
    loading: "Cargando", starting: "El motor arranca.",
    loadingEngine: "El motor se está cargando; ya puedes jugar en el tablero.",
  },
  storage: {
    unreadable: "La partida que guardó este navegador no se puede leer; se ha apartado.",
  },
  toolbar: {
    placeholder: "jugadas",
    movesLabel: "Jugadas: escribe o pega jugadas, una FEN o un enlace, y pulsa Intro", newGame: "Nueva",
    newTitle: "Empezar una partida nueva en este tablero", edit: "Editar",
    editTitle: "Preparar una posición: poner y quitar fichas",
    share: "Compartir", shareTitle: "Enlace, imagen, código y más de esta posición", save: "Guardar",
    saveTitle: "Guardar la partida en un archivo de texto", open: "Abrir",
    openTitle: "Abrir una partida de un archivo de texto",
    swap: "Cambiar colores", swapTitle: "Intercambiar los colores (F)", first: "Al inicio (Inicio)",
    back: "Atrás (←)", forward: "Adelante (→)", last: "Al final (Fin)", undo: "Deshacer",
    undoTitle: "Deshacer (Ctrl Z)", redo: "Rehacer", redoTitle: "Rehacer (Ctrl Mayús Z)",
    largeFile: "{name} es demasiado grande para un archivo de partidas. La partida no cambia.",
  },
  transports: {
    failed: "El motor ha fallado{reason}.", notLoaded: "no se puede cargar",
  },
  treeExplorer: {
    move: "Jugada", visits: "Visitas", value: "Valor", score: "Puntuación", proof: "Prueba", caption: "Nodos del árbol",
    most: "Hay {most} nodos abiertos, que es el máximo: cierra algunos.",
    note: "{visits} visitas, factor de exploración {exploration}", empty: "Aquí aparece el árbol de la búsqueda.",
    column: "Columna {columns}",
  },
  variations: {
    label: "Jugadas", promote: "Hacer línea principal", remove: "Borrar desde aquí", comment: "Comentario",
    commentLabel: "Comentario a la jugada {number}", commentOnStart: "Comentario al inicio",
    move: "Jugada {number}, {name} columna {column}",
  },
  verdict: {
    isWinning: "{name} está ganando", isClearlyAhead: "{name} tiene clara ventaja", isAhead: "{name} tiene ventaja",
    solver: "Solucionador", search: "Búsqueda", draw: "Empate", hasWon: "Ha ganado {name}",
    drawWithBestPlay: "Empate con el mejor juego", wins: "{name} gana", winsIn: "{wins} en {moves}",
    winsInAtMost: "{wins} en {moves} como máximo", toMove: "Turno de {name}", even: "Igualdad",
    belief: "{name}: {says}, columna {move}", notBest: "{text}: no es la mejor jugada",
    noProof: "{text}: aún sin demostración", exact: "{score}, lo mejor {columns}",
  },
  counts: {
    mistakes: ["{count} error", "{count} errores"],
    yellowDiscs: ["{count} ficha amarilla", "{count} fichas amarillas"],
    simulations: ["{count} simulación", "{count} simulaciones"],
    moves: ["{count} jugada", "{count} jugadas"],
    draws: ["{count} empate", "{count} empates"],
  },
};
