/**
 * The texts of Play, Review and Puzzles in French.
 * Spaces before a colon and the like are no-break spaces.
 *
 * @import { play as english } from "./texts-en-play.js"
 * @import { Translated } from "./texts.js"
 */

/** @satisfies {Translated<typeof english>} */
export const play = {
  betterMoves: {
    show: "Montrer le coup", betterLine: "Meilleure suite", refutation: "Réfutation", nextTitle: "Suivant (N)",
    back: "Retour au bilan", right: "Juste : {column} {does}.", isFastest: "{columns} est le plus rapide.",
    isBest: "{columns} est le meilleur.", rightAsWell: "Juste : {column} {does} aussi. {best}",
    wasPlayed: "{column} a été joué.", oneMoreTry: "{wrong} Encore un essai.",
    solution: "{words}Le meilleur coup est {columns} : il {does}.",
    titleOf: "Trouvez le meilleur coup ({at} sur {length})", title: "Trouvez le meilleur coup",
    played: "Coup {ply} : {name} a joué {column}, {kind}.", nextMistake: "Erreur suivante", done: "Terminé",
    summary: "Vous avez trouvé le meilleur coup à {found} sur {count}.", isBetter: "est meilleur", wins: "gagne",
    holdsTheDraw: "tient la nulle", isNotTheBestMove: "{column} n’est pas le meilleur coup.",
    doesNotWin: "{column} ne gagne pas.", loses: "{column} perd.",
    whatIsBetter: "Qu’est-ce qui est mieux pour {name} ?",
    howToWin: "Comment {name} gagne-t-il ?", howToHold: "{name} peut tenir la nulle : comment ?",
  },
  match: {
    noClock: "Sans pendule", oneMinute: "1 min + 1 s", threeMinutes: "3 min + 2 s", fiveMinutes: "5 min + 3 s",
  },
  playMatch: {
    hint: "Indice", takeBack: "Reprendre", resign: "Abandonner", pause: "Pause", review: "Bilan", rematch: "Revanche",
    anotherGame: "Autre partie", paused: "En pause", lookingBack: "Retour au coup {ply}", continue: "Continuer",
    draw: "Partie nulle", byResignation: " par abandon", youResigned: " : vous avez abandonné", onTime: " au temps",
    youWin: "Vous gagnez{how}", wins: "{name} gagne{how}", yourMove: "À vous de jouer", toMove: "Trait à {name}",
    thinking: "{name} réfléchit",
  },
  playSetup: {
    aLevel: "Un niveau", twoPeople: "Deux personnes", twoEngines: "Deux moteurs", opponent: "Adversaire",
    youPlay: "Vous jouez", first: "{name}, en premier", second: "{name}, en second", clock: "Pendule",
    start: "Commencer", continueHere: "Continuer à partir de cette position", title: "Une partie",
    clickBegins: "Un clic sur le plateau commence la partie.",
    clickContinues: "Un clic sur le plateau continue à partir de cette position ; Commencer lance une nouvelle partie.",
    moveBegins: "Votre premier coup sur le plateau commence la partie.",
    levelFirst: "Un clic sur le plateau commence la partie. Le niveau joue en premier.", level: "Niveau",
    preset: "{name} : profil", simulationsPerMove: "Simulations par coup",
  },
  play: {
    thinking: "Réflexion …", provenHint: "Indice : colonne {move}, {result}.",
    hint: "Indice : colonne {move}, valeur {winrate}.", resignQuestion: "Abandonner cette partie ?",
    resign: "Abandonner", over: "La partie est finie.",
    earlier: "C’est une position antérieure. Allez à la fin (Fin) pour continuer, ou reprenez des coups.",
    otherTurn: "C’est à l’autre camp de jouer.",
  },
  puzzlePanel: {
    show: "Montrer la solution", next: "Problème suivant", nextTitle: "Suivant (N)", analyse: "Analyse",
    analyseTitle: "Ouvrir la position dans Analyse", theme: "Thème des prochains problèmes",
    level: "À partir du niveau {level}, le moteur le trouve.", oneMove: "Un seul coup est juste.",
    about: "Problème {number}, classé {elo}. {words}", showLine: "Montrer la suite", rating: "Classement",
    streak: "Série", streaks: "{streak}, la plus longue {longest}", solved: "Résolus", solvedOf: "{solved} sur {count}",
  },
  puzzleProgress: {
    unreadable: "Le classement enregistré des problèmes est illisible ; il a été mis de côté.",
  },
  puzzleWords: {
    themes: {
      all: "Tous les thèmes",
      win: "Gain",
      draw: "Sauver la nulle",
      "double threat": "Double menace",
      "stacked threats": "Menaces superposées",
      zugzwang: "Zugzwang",
      "odd threat": "Menace impaire",
      "even threat": "Menace paire",
      "forced replies": "Réponses forcées",
      "quiet move": "Coup tranquille",
    },
    meanings: {
      "double threat": "Double menace : à la fin, deux coups gagnants à la fois, dont un seul peut être paré.",
      "stacked threats": "Menaces superposées : à la fin, parer un coup gagnant en permet un autre juste au-dessus.",
      zugzwang: "Zugzwang : à la fin rien n’est menacé, mais chaque coup en permet un gagnant juste au-dessus.",
      "odd threat": "Menace impaire : la dernière case est sur une rangée impaire, comptée depuis le bas.",
      "even threat": "Menace paire : la dernière case est sur une rangée paire, comptée depuis le bas.",
      "forced replies": "Réponses forcées : chaque coup menace de gagner aussitôt.",
      "quiet move": "Coup tranquille : le premier coup ne menace pas de gagner aussitôt.",
    },
    winTask: "{name} gagne en {depth} coups",
    drawTask: "{name} sauve la nulle",
    winSolution: "{column} gagne en {depth} coups",
    drawSolution: "{column} tient la nulle",
    bestPlay: "Meilleur jeu : {columns}{more}",
    notTheMove: "{column} n’est pas le bon coup.",
    onlyDraws: "{column} ne fait que nulle : {columns} y répond.",
    loses: "{column} perd en {moves} : {columns} y répond.",
  },
  puzzles: {
    solution: "La solution : ", title: "Problèmes", loading: "Chargement …",
    noPuzzle: "Il n’y a pas de problème {puzzle} : ils vont de 1 à {count}.", task: "{task}. Trouvez le premier coup.",
    slower: "{column} gagne aussi, mais moins vite. Essayez encore.", right: "Juste : ", rightSoFar: "Juste.",
    defence: "Juste. {column} est la plus longue défense. Trouvez le coup suivant.",
    wrong: "{refutation} Essayez encore.",
  },
  reviewWords: {
    kinds: { best: "meilleur coup", good: "bon", only: "le seul coup", inaccuracy: "imprécision", mistake: "erreur",
      "missed win": "gain manqué", blunder: "gaffe" },
    kindsWithArticle: { mistake: "une erreur", "missed win": "un gain manqué", blunder: "une gaffe" },
    unfinished: "Inachevée après {count}", draw: "Nulle après {count}", won: "{name} a gagné en {count}",
    learnLabel: "Apprendre des erreurs : {name}", learn: "Apprendre des erreurs", noMistakes: "aucune erreur",
    move: "Coup {ply}, {name} {column} : {kind}{worth}.", best: "Meilleur : {columns}{worth}.",
    shouldPlay: "Ici {name} devrait jouer {columns}, mais a joué {column}.",
    help: "Parcourez les coups avec ← et →, ou cliquez sur le graphique.", worth: ", score {score}",
    estimates: "Toutes les valeurs sont des estimations de la recherche.",
    exactFrom: "Les scores sont exacts à partir du coup {move} ; avant, les valeurs sont des estimations de la " +
      "recherche.",
  },
  review: {
    betterMove: "Meilleur coup", refutation: "Réfutation", find: "Trouver le meilleur coup",
    title: "Bilan",
    nothing: "Jouez une partie, ouvrez-en une ou collez ses coups pour voir ici ce que valait chaque coup.",
    reviewing: "Bilan en cours …", progress: "{reviewed} coups sur {moves}",
    course: "Déroulement de la partie",
  },
  seats: {
    levelNames: ["Débutant", "Occasionnel", "En progrès", "Joueur de club", "Fort joueur de club", "Expert",
      "Candidat maître", "Maître", "Grand maître", "Parfait"],
    levels: [
      "Manque une menace sur trois et ne voit aucun piège. Aussi fort que saisir les gains, parer les menaces et " +
        "jouer sinon au hasard.",
      "Voit presque tous les gains et toutes les menaces, mais seulement un piège sur trois.",
      "Voit trois pièges sur quatre.",
      "Voit tous les pièges. Aussi fort que l’UCT simple avec 100 simulations par coup.",
      "Entre l’UCT simple avec 100 et avec 1 000 simulations par coup.",
      "Presque aussi fort que l’UCT simple avec 1 000 simulations par coup.",
      "Plus fort que l’UCT simple avec 1 000 simulations par coup.",
      "Plus fort que l’UCT simple avec 10 000 simulations par coup.",
      "Une recherche d’une milliseconde. Gagne sept points sur dix contre le niveau 8.",
      "Joue d’après les scores exacts : ne laisse jamais échapper un gain ou une nulle.",
    ],
    notMeasured: "Sa force sur ce plateau n’a pas été mesurée.", elo: "Elo {elo}. {ability}", you: "Vous",
    levelName: "Niveau {number}, {name}", engineName: "{preset}, {visits} simulations",
    opinion: "{worth}, attend {columns}{more}",
  },
};
