/**
 * The texts of the page around the modes, of Analyse, and of what all modes share in German.
 *
 * @import { page as english } from "./texts-en-page.js"
 * @import { Translated } from "./texts.js"
 */

/** @satisfies {Translated<typeof english>} */
export const page = {
  colours: { yellow: "Gelb", red: "Rot", none: "leer" },
  proofs: { win: "Sieg", draw: "Remis", loss: "Verlust" },
  proofLetters: { win: "S", draw: "R", loss: "V" },
  index: {
    skip: "Brett überspringen", whole: "Ganze Seite öffnen", modes: "Bereiche", present: "Vorführen",
    presentTitle: "Vorführen (P)", help: "Hilfe", helpTitle: "Hilfe (?)", game: "Partie",
    variations: "Züge und Varianten", mode: "Bereich",
  },
  rules: { width: "Breite", height: "Höhe", connect: "Länge der Reihe" },
  address: {
    problem: "Die Adresse: {problem}",
  },
  analyse: {
    legend: "Exakt: + gewinnt, 0 Remis, − verliert; ,50: ein Wert ", legendVisits: " Besuche", tree: "Baum",
    searchIsOff: "Die Suche ist aus.", course: "Verlauf der Partie, Stellung {ply} von {count} auf dem Brett",
    announcement: "{verdict}. Beste Spalte: {column}.", simulations: "{visits} Simulationen", nodes: "{nodes} Knoten",
    megabytes: "{megabytes} MB",
  },
  board: {
    column: "Spalte {column}: von unten {discs}", emptyColumn: "Spalte {column}: leer",
  },
  confirmation: {
    cancel: "Abbrechen", endAgainstLevel: "Die Partie gegen Stufe {number} beenden?", end: "Die Partie beenden?",
    endButton: "Partie beenden", undoBringsBack: "Rückgängig (Strg Z) holt sie zurück.",
  },
  connection: {
    closed: "Die Verbindung zur Engine ist geschlossen.", noAnswer: "Der Server antwortet nicht.",
    noResult: "Der Server fand rechtzeitig kein Ergebnis.", lost: "Die Verbindung zur Engine ist abgebrochen.",
  },
  controls: {
    oneSecond: "1 s", fiveSeconds: "5 s", halfMinute: "30 s", twoMinutes: "2 min", noLimit: "unbegrenzt",
    title: "Start oder Stopp (Leertaste)", time: "Zeit", threads: "Threads", stop: "Stopp", proven: "Bewiesen",
    continue: "Weiter", start: "Start",
    oneThread: "Diese Engine hat einen Thread; auf einem Server hat c4mcts web mehr.",
  },
  draft: {
    refusal: "Es sind {count}: Die Spieler ziehen abwechselnd, also darf einer höchstens eine Scheibe mehr haben als " +
      "der andere.",
    count: "{count} und {red} rote",
  },
  editorBoard: {
    label: "Felder des Bretts", cell: "Spalte {column}, Reihe {row}: {disc}",
  },
  editor: {
    yellow: "Gelb", red: "Rot", remove: "Entfernen", disc: "Scheibe", toMove: "Am Zug", undo: "Rückgängig",
    undoTitle: "Rückgängig (Strg Z)", clear: "Leeren", clearTitle: "Alle Scheiben entfernen",
    cleared: "Alle Scheiben sind entfernt.", reset: "Zurücksetzen", resetTitle: "Wie auf dem Brett der Seite",
    wasReset: "Die Stellung ist wie zuvor.", title: "Stellung aufbauen",
    help: "Eine Scheibe fällt auf das unterste freie Feld. Wähl eine Scheibe der anderen Farbe, um sie zu ändern.",
    helpKeys: " Tasten: Pfeile und Enter; Y, R, Entf für Gelb, Rot, Entfernen.", cancel: "Abbrechen",
    use: "Stellung übernehmen", emptyColumn: "Spalte {column} ist leer.", fullColumn: "Spalte {column} ist voll.",
    place: "Spalte {column}, Reihe {row}", removed: "Entfernt: {where}.", placed: "{colour} in {where}.",
    undone: "Rückgängig gemacht.", state: "{words} {count}. {colour} ist am Zug.",
  },
  explanation: {
    check: "Stellung erklären", wins: "{mover} gewinnt mit {columns}.",
    doubleThreat: "{other} droht, mit {columns} zu gewinnen: {mover} kann nur eines davon verhindern.",
    mustPlay: "{mover} muss {columns} spielen.",
    inZugzwang: "{mover} ist im Zugzwang: In jeder Spalte kann {other} darüber gewinnen.",
    belowThreat: "Eine Scheibe in {columns} lässt {other} darüber gewinnen.",
    hasZugzwang: "{winner} hat den Zugzwang: Bei bestem Spiel muss {loser} zuletzt unter {cell} ziehen.",
    threats: "Drohungen von {name}: {cells}.", nothing: "Noch droht keine Seite etwas.",
    oddCell: "Spalte {column}, Reihe {row} (ungerade)", evenCell: "Spalte {column}, Reihe {row} (gerade)", or: " oder ",
  },
  format: {
    toMove: "{name} ist am Zug.", isDraw: "Die Partie ist remis.", hasWon: "{name} hat gewonnen.",
    provenIn: "{word} in {distance}",
  },
  gameChoice: {
    players: "{first} und {second}", titleOfFirst: "Wähl eine der ersten {most} von {count} Partien",
    title: "Wähl eine von {count} Partien", cancel: "Abbrechen", open: "Öffnen",
  },
  gameFiles: {
    noJson: "Was auf die Züge folgt, ist kein JSON.",
  },
  gameText: {
    problem: "Zeichen {place}{problem}", openParenthesis: "Zeichen {place}: Eine Klammer ist nicht geschlossen.",
    comma: ": Ein Komma muss auf einen Zug folgen.", commentString: ": Der Kommentar ist keine Zeichenkette in JSON.",
    commentPlace: ": Ein Kommentar muss auf seinen Zug folgen.",
    variationPlace: ": Eine Variante muss auf den Zug folgen, zu dem sie eine Alternative ist.",
    closesNothing: ", „)“, schließt nichts.", emptyVariation: ": Die Variante hat keine Züge.",
    numbers: "Mit Kommas sind Züge Zahlen ab 0", digits: "Ohne Kommas sind Züge Ziffern ab 1",
    noColumn: ", „{text}“, ist keine Spalte: {how}.", missingComma: ": Vor dem Zug fehlt ein Komma.",
    duplicate: ": Spalte {token} gibt es schon als Alternative.",
    tooMany: ": Eine Partie hat höchstens {most} Züge in allen Varianten.",
  },
  game: {
    noColumn: "Es gibt keine Spalte {column}: Das Brett hat die Spalten {first} bis {width}.",
    over: "Die Partie ist zu Ende.", full: "Spalte {column} ist voll.",
  },
  graph: {
    yellowWins: "Gelb gewinnt", draw: "Remis", redWins: "Rot gewinnt",
  },
  header: {
    analyse: "Analyse", play: "Spielen", learn: "Lernen", review: "Rückblick", puzzles: "Aufgaben",
    autoTheme: "Farben: wie im System", lightTheme: "Farben: hell", darkTheme: "Farben: dunkel",
    noDiagonals: ", ohne Diagonalen", rules: "{width} × {height}, {connect} gewinnt{diagonals}",
    rulesTitle: "Brett ändern", keys: "Tasten",
    help: "Spalten zählen ab 1. Ein Wert ist das erwartete Ergebnis eines Spielers: 1 ein Sieg, ½ ein Remis, 0 eine " +
      "Niederlage. Punkte sind die des Lösers: +1 gewinnt mit der letzten Scheibe, +2 mit einer Scheibe Vorsprung " +
      "und so weiter, −1 und −2 ebenso für die andere Seite; 0 ist Remis.",
    sound: "Ton der Scheiben", language: "Sprache", ofBrowser: "wie im Browser", close: "Schließen",
  },
  installation: {
    newVersion: "Eine neue Version dieser Seite ist bereit. Deine Partie bleibt erhalten.", reload: "Neu laden",
  },
  keyboard: {
    play: "in eine Spalte spielen", backAndForward: "zurück oder vor", homeAndEnd: "Pos1 Ende",
    toStartOrEnd: "zum Anfang oder zum Ende", space: "Leertaste",
    startOrStop: "Suche starten oder stoppen; in Lernen: abspielen oder Pause",
    inLearn: "in Lernen: eine Phase zurück oder vor, vorige oder nächste Simulation", hint: "Tipp",
    next: "nächste Aufgabe oder nächster Fehler", swap: "Farben tauschen",
    present: "vorführen: Vollbild, große Schrift; P oder Esc beendet es", tab: "Tab",
    toTheBoard: "zum Brett; dort wählen ← → eine Spalte, Enter spielt sie", controlZ: "Strg Z",
    undo: "rückgängig; Strg Umschalt Z oder Strg Y: wiederholen", controlV: "Strg V",
    paste: "kopierte Stellung auf das Brett bringen", help: "diese Liste",
  },
  main: {
    played: "{name} spielte Spalte {column}.", position: "Stellung nach {ply} Zügen.",
    failed: "{reason} Deine Partie bleibt erhalten.", restart: "Neu starten",
    trying: "{reason} Neuer Versuch; deine Partie bleibt erhalten.",
  },
  movesTable: {
    move: "Zug", result: "Ergebnis", search: "Suche", visits: "Besuche", line: "Variante",
    caption: "Züge, der beste zuerst", play: "In Spalte {column} spielen",
    expected: "Was die Suche erwartet, nicht das beste Spiel",
  },
  notation: {
    tooLong: "Ein Text mit {length} Zeichen ist zu lang für eine Stellung.",
    puzzleLink: "Das ist ein Link zu einer Aufgabe: Öffne ihn in der Adresszeile.",
    longAddress: "Diese Adresse ist zu lang für eine Stellung.",
    address: "Der Teil der Adresse nach # ist nicht lesbar.",
    noBoard: "„{text}“ ist kein Brett: Schreib zum Beispiel 7x6x4.",
    limit: "{name}: Auf dieser Seite geht {low} bis {high}, nicht {number}.",
    wideBoard: "Bei mehr als 9 Spalten schreib die Züge als Liste mit Kommas, Spalten ab 0: 3,11,2.",
    noDigit: "Zeichen {index}, „{letter}“, ist keine Spalte: Ohne Kommas sind Züge Ziffern ab 1.",
    character: "Zeichen {index}",
    noNumber: "Eintrag {index}, „{shown}“, ist keine Spalte: Mit Kommas sind Züge Zahlen ab 0.",
    entry: "Eintrag {index}", illegal: "Zug {number} ({place}): {refusal}",
  },
  notebook: {
    swapColours: "Farben tauschen",
  },
  openingWords: {
    allLose: "alle verlieren", winning: ["{count} von {replies} siegt", "{count} von {replies} siegen"],
    drawing: ["{count} von {replies} remis", "{count} von {replies} remis"],
    otherBoard: "Das Buch ist für 7 × 6, vier in einer Reihe.",
    end: "Das Buch hat alle Stellungen mit bis zu 12 Scheiben und von denen mit bis zu 24 die, zu denen bestes Spiel " +
      "führt.",
  },
  openings: {
    move: "Zug", result: "Ergebnis", replies: "Antworten", leadsTo: "Führt zu",
    caption: "Züge im Eröffnungsbuch, der beste zuerst", title: "Eröffnungsbuch", over: "Die Partie ist zu Ende.",
    play: "In Spalte {move} spielen",
  },
  positions: {
    problem: "{problem} Die Partie ist unverändert.", noMoves: "Als Stellung ohne Züge gelesen.",
    list: "Als Spalten {columns}{more} des Bretts gelesen: Eine Liste mit Kommas zählt Spalten ab 0.",
    digits: "Als Spalten {columns}{more} des Bretts gelesen: Ziffern zählen Spalten ab 1.",
  },
  presets: {
    strong: "Womit c4mcts spielt: Rollouts ohne grobe Fehler, Beweise und der exakte Löser.",
    uct: "Einfaches UCT wie im Lehrbuch: zufällige Rollouts, c = 1,41, sonst nichts.",
    perfect: "„strong“ mit dem Buch aller Stellungen mit bis zu 12 Scheiben.",
    network: "PUCT mit einem kleinen Netz des Pakets statt der Rollouts, mit Beweisen und dem exakten Löser.",
    "uct-timed": "Das Programm eines Blogs: einfaches UCT, für das ein Remis eine Niederlage beider Spieler ist.",
    "report-minimax": "Eine Kursarbeit: einfaches UCT mit Belohnungen von −1 bis 1; Stellungen, die auf zwei Wegen " +
      "erreicht werden, sind eine.",
    "report-random": "Dieselbe Kursarbeit, mit einem Gegner, der zufällig zieht.",
    "notebook-uct": "Ein Notebook einer Vorlesung: Ein Remis zählt als Niederlage, und der Zug mit dem höchsten Wert " +
      "wird gespielt.",
    "no-diagonals": "Ein Desktop-Spiel ohne Diagonalen: Es spielt den Zug mit der höchsten Wertung und zieht " +
      "schnelle Siege vor.",
  },
  rulesDialog: {
    columns: "Spalten", rows: "Reihen", inARow: "In einer Reihe", diagonals: "Diagonalen zählen", cancel: "Abbrechen",
    newGame: "Neue Partie", title: "Anderes Brett",
  },
  searchFields: {
    random: "zufällig", decisive: "entschlossen", safe: "sicher", ofPreset: "wie im Profil", preset: "Profil",
    exploration: "Erkundungsfaktor c", placeholder: "wie im Profil",
    refusal: "Der Erkundungsfaktor c ist eine Zahl von 0 bis {most}, nicht {text}.", rollouts: "Rollouts",
  },
  share: {
    title: "Teilen", link: "Link", moves: "Züge", python: "Python", kaggle: "Kaggle", drawing: "Zeichnung",
    onYourPage: "Auf deiner Seite", png: "PNG", svg: "SVG", animation: "Animiertes SVG der Partie", close: "Schließen",
    copyLabel: "Kopieren: {name}", copied: "{name}: kopiert.",
    notAllowed: "Der Browser erlaubt das Kopieren nicht; der Text ist markiert, Strg C kopiert ihn.", copy: "Kopieren",
  },
  status: {
    loading: "Lädt", starting: "Die Engine startet.",
    loadingEngine: "Die Engine lädt; du kannst schon auf dem Brett spielen.",
  },
  storage: {
    unreadable: "Die Partie, die dieser Browser gespeichert hat, ist nicht lesbar; sie wurde beiseitegelegt.",
  },
  toolbar: {
    placeholder: "Züge",
    movesLabel: "Züge: Gib Züge, eine FEN oder einen Link ein und drück Enter", newGame: "Neu",
    newTitle: "Neue Partie auf diesem Brett beginnen", edit: "Aufbauen",
    editTitle: "Stellung aufbauen: Scheiben setzen und entfernen",
    share: "Teilen", shareTitle: "Link, Bild, Code und mehr zu dieser Stellung", save: "Speichern",
    saveTitle: "Partie als Textdatei speichern", open: "Öffnen", openTitle: "Partie aus einer Textdatei öffnen",
    swap: "Farben tauschen", swapTitle: "Farben tauschen (F)", first: "Zum Anfang (Pos1)", back: "Zurück (←)",
    forward: "Vor (→)", last: "Zum Ende (Ende)", undo: "Rückgängig", undoTitle: "Rückgängig (Strg Z)",
    redo: "Wiederholen", redoTitle: "Wiederholen (Strg Umschalt Z)",
    largeFile: "{name} ist zu groß für eine Datei mit Partien. Die Partie ist unverändert.",
  },
  transports: {
    failed: "Die Engine ist ausgefallen{reason}.", notLoaded: "Sie lässt sich nicht laden",
  },
  treeExplorer: {
    move: "Zug", visits: "Besuche", value: "Wert", score: "Wertung", proof: "Beweis", caption: "Knoten des Baums",
    most: "{most} Knoten sind offen, mehr geht nicht: Schließ einige.",
    note: "{visits} Besuche, Erkundungsfaktor {exploration}", empty: "Hier erscheint der Baum der Suche.",
    column: "Spalte {columns}",
  },
  variations: {
    label: "Züge", promote: "Zur Hauptvariante", remove: "Ab hier löschen", comment: "Kommentar",
    commentLabel: "Kommentar zu Zug {number}", commentOnStart: "Kommentar zum Anfang",
    move: "Zug {number}, {name} Spalte {column}",
  },
  verdict: {
    isWinning: "{name} steht auf Gewinn", isClearlyAhead: "{name} steht klar besser", isAhead: "{name} steht besser",
    solver: "Löser", search: "Suche", draw: "Remis", hasWon: "{name} hat gewonnen",
    drawWithBestPlay: "Remis bei bestem Spiel", wins: "{name} gewinnt", winsIn: "{wins} in {moves}",
    winsInAtMost: "{wins} in höchstens {moves}", toMove: "{name} ist am Zug", even: "Ausgeglichen",
    belief: "{says} für {name}, Spalte {move}", notBest: "{text}: nicht der beste Zug",
    noProof: "{text}: noch kein Beweis", exact: "{score}, am besten {columns}",
  },
  counts: { // of mistakes and moves after “von”, “in” and “nach”, so in the dative
    mistakes: ["{count} Fehler", "{count} Fehlern"],
    yellowDiscs: ["{count} gelbe Scheibe", "{count} gelbe Scheiben"],
    simulations: ["{count} Simulation", "{count} Simulationen"],
    moves: ["{count} Zug", "{count} Zügen"],
    draws: ["{count} Remis", "{count} Remis"],
  },
};
