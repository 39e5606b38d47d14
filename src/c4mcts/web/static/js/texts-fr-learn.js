/**
 * The texts of Learn in French.
 * Spaces before a colon and the like are no-break spaces.
 *
 * @import { learn as english } from "./texts-en-learn.js"
 * @import { Translated } from "./texts.js"
 */

/** @satisfies {Translated<typeof english>} */
export const learn = {
  phases: { selection: "Sélection", expansion: "Expansion", rollout: "Rollout", backup: "Remontée" },
  compareSide: {
    factorC: "Facteur c",
  },
  compareTable: {
    best: "le meilleur coup", holds: "conserve le résultat", fails: "gâche le résultat", simulations: "Simulations",
    plays: "Coup", value: "Valeur", visits: "Visites", caption: "Ce que joue la recherche",
  },
  compareWords: {
    simulations: "{simulations} simulations", plays: "après {count} elle joue {move}",
    always: ", et n’en change plus", exactMove: "Le meilleur coup exact est {columns}.",
    exactMoves: "Les meilleurs coups exacts sont {others} et {column}.",
  },
  learnCompare: {
    factors: "c = 0,3 et 3", rollouts: "Rollouts aléatoires et sûrs", presets: "UCT et strong",
    againTitle: "Les deux recherches avec d’autres nombres aléatoires", again: "Autres nombres aléatoires",
    title: "Comparer deux recherches",
    about: "La même position et les mêmes nombres aléatoires. Que joue chaque recherche après de plus en plus de " +
      "simulations ?",
    settings: "Réglages à comparer", over: "La partie est finie, il n’y a rien à chercher.",
  },
  learnControls: {
    play: "Lecture (Espace)", speed: "Vitesse", before: "Simulation précédente (↑)", back: "Reculer (←)",
    forward: "Avancer (→)", after: "Simulation suivante (↓)", simulation: "Simulation", phases: "Phases",
    simulationOf: "Simulation {number} sur {count}", pause: "Pause (Espace)",
    againTitle: "La même recherche avec d’autres nombres aléatoires", again: "Autres nombres aléatoires",
  },
  learnExplore: {
    title: "Explorer un arbre",
    about: "Ouvrez un coup pour voir ce que la recherche pense des réponses. À chaque nœud, la simulation suivante " +
      "va à l’enfant dont le score UCB est le plus élevé ; ∞ signifie pas encore essayé, −∞ qu’il ne peut pas être " +
      "meilleur que ce qui est prouvé.",
  },
  learnNode: {
    root: "La racine : la position sur le plateau", title: "Nœud {columns} : coup de {name} en colonne {column}",
    close: "Fermer (Échap)", closeTitle: "Fermer le nœud",
    lastSelection: "La dernière sélection ici, colonne {move} :", visits: "Visites", value: "Valeur",
    valueFor: "{mean} pour {name}", score: "Score", scoreThere: "{score} à la dernière sélection", proven: "Prouvé",
    draw: "Nulle", wins: "{name} gagne",
  },
  learnPlayer: {
    slow: "lent", normal: "normal", fast: "rapide", veryFast: "très rapide",
  },
  learnScores: {
    caption: "Scores des enfants", column: "Colonne", bars: "Valeur et exploration", score: "Score",
    visits: "Visites", formula: "score = valeur + c ",
    variance: ", V : dispersion des résultats",
    letters: "N : visites du nœud, n : de l’enfant, c : facteur d’exploration{variance}", root: "Racine",
    node: "Nœud", reward: "Récompense", value: "Valeur",
  },
  learnSteps: {
    over: "La partie est finie, il n’y a rien à chercher. Revenez à une position avant la fin.",
    known: "L’issue de cette position est connue sans recherche.", title: "Pas à pas",
  },
  learnTree: {
    label: "Arbre de {size} nœuds. Entrée ouvre un nœud ; les flèches vont aux autres.", root: "racine",
    node: "{who} : n {visits}, valeur {mean}", tally: "\u2002n {visits}\u2002valeur {mean}",
  },
  learnWords: {
    random: "les deux camps jouent au hasard",
    decisive: "les deux camps gagnent s’ils le peuvent, parent une menace s’ils le doivent, et jouent sinon au hasard",
    safe: "les deux camps gagnent s’ils le peuvent, parent une menace s’ils le doivent, et jouent sinon au hasard, " +
      "jamais sous une menace",
    path: "Sélection : {columns}. ", simulation: "Simulation {number}. {path}{words}", moves: " Coups : {columns}.",
    summary: "Simulation {number}. Sélection : {columns}. {words}",
    noChildren: "La racine n’a pas encore d’enfants, il n’y a donc rien à sélectionner.",
    certainRoot: "L’issue est certaine dès la racine : rien n’est sélectionné.",
    rolloutAtRoot: "Le rollout commence à la racine même : rien n’est sélectionné.",
    selects: "{player} sélectionne la colonne {move}",
    randomOpponent: "{player} joue ici au hasard : la colonne {move} est tirée au sort.",
    untried: "{selects} : elle n’a pas encore été essayée ici.", proven: "{selects} : rien de mieux n’est possible.",
    bestToo: "elle a aussi les meilleurs résultats jusqu’ici",
    triedLess: "d’autres ont fait mieux jusqu’ici, mais elle a été essayée moins souvent",
    highestScore: "{selects}, qui a le score le plus élevé : {why}.",
    proving: ", et ils prouvent comment la partie finit ici", getsChildren: "Le nœud reçoit {count} enfants{proof}.",
    newNode: "La colonne {leaf} est essayée ici pour la première fois : un nouveau nœud rejoint l’arbre.",
    rootGetsChildren: "La racine reçoit un enfant pour chacune des {count} colonnes ouvertes, et la colonne {leaf} " +
      "est essayée.",
    reachedAgain: "Ce nœud est atteint pour la deuxième fois : il reçoit un enfant pour chacune des {count} colonnes " +
      "ouvertes, et la colonne {leaf} est essayée.",
    draw: "la partie est nulle", wins: "{name} gagne",
    noRollout: "Pas de rollout : l’issue est certaine ici, {result}.",
    over: "La partie est finie ici : {result}.",
    rollout: "À partir d’ici, {policy}, jusqu’à la fin de la partie. Après {length}, {result}.",
    newProofs: " De nouvelles preuves remontent aussi.",
    allVisits: "les {length} nœuds du chemin reçoivent une visite de plus",
    bothVisits: "les deux nœuds du chemin reçoivent une visite de plus",
    rootVisit: "la racine reçoit une visite de plus",
    isDraw: "Partie nulle", hasWon: "{name} a gagné", drawReward: "la récompense d’une nulle",
    winReward: "les nœuds des coups de {name} la récompense d’une victoire",
    backup: "{end} : {count}, et {reward}.{proven}",
  },
  learn: {
    steps: "Pas à pas", tree: "Explorer un arbre", compare: "Comparer", label: "Que regarder",
  },
};
