/**
 * The texts of Learn in German.
 *
 * @import { learn as english } from "./texts-en-learn.js"
 * @import { Translated } from "./texts.js"
 */

/** @satisfies {Translated<typeof english>} */
export const learn = {
  phases: { selection: "Auswahl", expansion: "Erweiterung", rollout: "Rollout", backup: "Backup" },
  compareSide: {
    factorC: "Faktor c",
  },
  compareTable: {
    best: "der beste Zug", holds: "hält das Ergebnis", fails: "verschenkt das Ergebnis", simulations: "Simulationen",
    plays: "Zug", value: "Wert", visits: "Besuche", caption: "Was die Suche spielt",
  },
  compareWords: {
    simulations: "{simulations} Simulationen", plays: "nach {count} spielt sie {move}",
    always: ", und dabei bleibt es", exactMove: "Der beste Zug ist nachweislich {columns}.",
    exactMoves: "Die besten Züge sind nachweislich {others} und {column}.",
  },
  learnCompare: {
    factors: "c = 0,3 und 3", rollouts: "Zufällige und sichere Rollouts", presets: "UCT und strong",
    againTitle: "Beide Suchen mit anderen Zufallszahlen", again: "Andere Zufallszahlen",
    title: "Zwei Suchen vergleichen",
    about: "Gleiche Stellung, gleiche Zufallszahlen: Was spielt jede Suche nach immer mehr Simulationen?",
    settings: "Was verglichen wird", over: "Die Partie ist zu Ende, es gibt nichts mehr zu suchen.",
  },
  learnControls: {
    play: "Abspielen (Leertaste)", speed: "Tempo", before: "Vorige Simulation (↑)", back: "Zurück (←)",
    forward: "Vor (→)", after: "Nächste Simulation (↓)", simulation: "Simulation", phases: "Phasen",
    simulationOf: "Simulation {number} von {count}", pause: "Pause (Leertaste)",
    againTitle: "Dieselbe Suche mit anderen Zufallszahlen", again: "Andere Zufallszahlen",
  },
  learnExplore: {
    title: "In einen Baum schauen",
    about: "Öffne einen Zug und sieh, was die Suche von den Antworten hält. An jedem Knoten geht die nächste " +
      "Simulation zu dem Kind mit der höchsten UCB-Wertung; ∞ heißt: noch nicht versucht, −∞: kann nicht besser " +
      "sein als das, was bewiesen ist.",
  },
  learnNode: {
    root: "Die Wurzel: die Stellung auf dem Brett", title: "Knoten {columns}: Zug von {name} in Spalte {column}",
    close: "Schließen (Esc)", closeTitle: "Knoten schließen", lastSelection: "Die letzte Auswahl hier, Spalte {move}:",
    visits: "Besuche", value: "Wert", valueFor: "{mean} für {name}", score: "Wertung",
    scoreThere: "{score} bei der letzten Auswahl", proven: "Bewiesen", draw: "Remis", wins: "{name} gewinnt",
  },
  learnPlayer: {
    slow: "langsam", normal: "normal", fast: "schnell", veryFast: "sehr schnell",
  },
  learnScores: {
    caption: "Wertungen der Kinder", column: "Spalte", bars: "Wert und Erkundung", score: "Wertung",
    visits: "Besuche", formula: "Wertung = Wert + c ",
    variance: ", V: Streuung der Ergebnisse",
    letters: "N: Besuche des Knotens, n: des Kinds, c: Erkundungsfaktor{variance}", root: "Wurzel",
    node: "Knoten", reward: "Belohnung", value: "Wert",
  },
  learnSteps: {
    over: "Die Partie ist zu Ende, es gibt nichts mehr zu suchen. Geh zu einer Stellung vor dem Ende zurück.",
    known: "Der Ausgang dieser Stellung ist auch ohne Suche bekannt.", title: "Schritt für Schritt",
  },
  learnTree: {
    label: "Baum mit {size} Knoten. Enter öffnet einen Knoten, die Pfeiltasten gehen zu anderen.", root: "Wurzel",
    node: "{who}: n {visits}, Wert {mean}", tally: "\u2002n {visits}\u2002Wert {mean}",
  },
  learnWords: {
    random: "spielen beide Seiten zufällig",
    decisive: "gewinnen beide Seiten, wenn sie können, wehren Drohungen ab, wenn sie müssen, und spielen sonst " +
      "zufällig",
    safe: "gewinnen beide Seiten, wenn sie können, wehren Drohungen ab, wenn sie müssen, und spielen sonst zufällig, " +
      "aber nie unter eine Drohung",
    path: "Auswahl: {columns}. ", simulation: "Simulation {number}. {path}{words}", moves: " Züge: {columns}.",
    summary: "Simulation {number}. Auswahl: {columns}. {words}",
    noChildren: "Die Wurzel hat noch keine Kinder, es gibt also nichts auszuwählen.",
    certainRoot: "Der Ausgang an der Wurzel steht fest: Nichts wird ausgewählt.",
    rolloutAtRoot: "Das Rollout beginnt an der Wurzel selbst: Nichts wird ausgewählt.",
    selects: "{player} wählt Spalte {move}",
    randomOpponent: "{player} spielt hier zufällig: Spalte {move} wird gezogen.",
    untried: "{selects}: Sie wurde hier noch nicht versucht.", proven: "{selects}: Besseres ist nicht möglich.",
    bestToo: "Sie hat auch die besten Ergebnisse bisher",
    triedLess: "Andere waren bisher besser, aber sie wurde seltener versucht",
    highestScore: "{selects}, die mit der höchsten Wertung. {why}.",
    proving: ", und sie beweisen, wie die Partie hier ausgeht",
    getsChildren: "Der Knoten bekommt {count} Kinder{proof}.",
    newNode: "Spalte {leaf} wird hier zum ersten Mal versucht: Ein neuer Knoten kommt zum Baum.",
    rootGetsChildren: "Die Wurzel bekommt für jede der {count} offenen Spalten ein Kind, und Spalte {leaf} wird " +
      "versucht.",
    reachedAgain: "Dieser Knoten wird zum zweiten Mal erreicht: Er bekommt für jede der {count} offenen Spalten ein " +
      "Kind, und Spalte {leaf} wird versucht.",
    draw: "Remis", wins: "{name} gewinnt", noRollout: "Kein Rollout: Der Ausgang steht hier fest ({result}).",
    over: "Die Partie ist hier zu Ende: {result}.",
    rollout: "Von hier an {policy}, bis zum Ende der Partie. Nach {length}: {result}.",
    newProofs: " Auch neue Beweise werden nach oben gereicht.",
    allVisits: "Alle {length} Knoten des Pfads bekommen einen Besuch mehr",
    bothVisits: "Beide Knoten des Pfads bekommen einen Besuch mehr", rootVisit: "Die Wurzel bekommt einen Besuch mehr",
    isDraw: "Remis", hasWon: "{name} hat gewonnen", drawReward: "die Belohnung für ein Remis",
    winReward: "die Knoten der Züge von {name} die Belohnung für einen Sieg",
    backup: "{end}: {count}, und {reward}.{proven}",
  },
  learn: {
    steps: "Schritt für Schritt", tree: "Baum ansehen", compare: "Vergleichen", label: "Was du ansehen willst",
  },
};
