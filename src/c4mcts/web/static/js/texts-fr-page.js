/**
 * The texts of the page around the modes, of Analyse, and of what all modes share in French.
 * Spaces before a colon and the like are no-break spaces.
 *
 * @import { page as english } from "./texts-en-page.js"
 * @import { Translated } from "./texts.js"
 */

/** @satisfies {Translated<typeof english>} */
export const page = {
  colours: { yellow: "Jaune", red: "Rouge", none: "vide" },
  proofs: { win: "gain", draw: "nulle", loss: "perte" },
  proofLetters: { win: "G", draw: "N", loss: "P" },
  index: {
    skip: "Passer le plateau", whole: "Ouvrir la page entière", modes: "Modes", present: "Présenter",
    presentTitle: "Présenter (P)", help: "Aide", helpTitle: "Aide (?)", game: "Partie",
    variations: "Coups et variantes", mode: "Mode",
  },
  rules: { width: "Largeur", height: "Hauteur", connect: "Longueur de l’alignement" },
  address: {
    problem: "L’adresse : {problem}",
  },
  analyse: {
    legend: "Exact : + gagne, 0 nulle, − perd ; ,50 : une valeur ", legendVisits: " visites", tree: "Arbre",
    searchIsOff: "La recherche est arrêtée.",
    course: "Déroulement de la partie, position {ply} sur {count} sur le plateau",
    announcement: "{verdict}. Meilleure colonne : {column}.", simulations: "{visits} simulations",
    nodes: "{nodes} nœuds", megabytes: "{megabytes} Mo",
  },
  board: {
    column: "Colonne {column} : depuis le bas {discs}", emptyColumn: "Colonne {column} : vide",
  },
  confirmation: {
    cancel: "Annuler", endAgainstLevel: "Terminer la partie contre le niveau {number} ?", end: "Terminer la partie ?",
    endButton: "Terminer la partie", undoBringsBack: "Annuler (Ctrl Z) la rétablit.",
  },
  connection: {
    closed: "La connexion au moteur est fermée.", noAnswer: "Le serveur ne répond pas.",
    noResult: "Le serveur n’a pas trouvé de résultat à temps.", lost: "La connexion au moteur a été perdue.",
  },
  controls: {
    oneSecond: "1 s", fiveSeconds: "5 s", halfMinute: "30 s", twoMinutes: "2 min", noLimit: "sans limite",
    title: "Démarrer ou arrêter (Espace)", time: "Temps", threads: "Threads", stop: "Arrêter", proven: "Prouvé",
    continue: "Continuer", start: "Démarrer",
    oneThread: "Ce moteur a un seul thread ; sur un serveur, c4mcts web en a davantage.",
  },
  draft: {
    refusal: "Il y a {count} : les joueurs jouent à tour de rôle, l’un ne peut donc avoir qu’un jeton de plus que " +
      "l’autre.",
    count: "{count} et {red} rouges",
  },
  editorBoard: {
    label: "Cases du plateau", cell: "Colonne {column}, rangée {row} : {disc}",
  },
  editor: {
    yellow: "Jaune", red: "Rouge", remove: "Retirer", disc: "Jeton", toMove: "Au trait", undo: "Annuler",
    undoTitle: "Annuler (Ctrl Z)", clear: "Vider", clearTitle: "Retirer tous les jetons",
    cleared: "Tous les jetons sont retirés.", reset: "Rétablir", resetTitle: "Comme sur le plateau de la page",
    wasReset: "La position est comme avant.", title: "Composer une position",
    help: "Un jeton tombe sur la case libre la plus basse. Choisissez un jeton de l’autre couleur pour le changer.",
    helpKeys: " Touches : flèches et Entrée ; Y, R, Suppr pour jaune, rouge, retirer.", cancel: "Annuler",
    use: "Utiliser", emptyColumn: "La colonne {column} est vide.", fullColumn: "La colonne {column} est pleine.",
    place: "colonne {column}, rangée {row}",
    removed: "Retiré : {where}.", placed: "{colour} en {where}.", undone: "Annulé.",
    state: "{words} {count}. Trait à {colour}.",
  },
  explanation: {
    check: "Expliquer la position", wins: "{mover} gagne avec {columns}.",
    doubleThreat: "{other} menace de gagner avec {columns} : {mover} ne peut en parer qu’un.",
    mustPlay: "{mover} doit jouer {columns}.",
    inZugzwang: "{mover} est en zugzwang : chaque colonne laisse {other} gagner juste au-dessus.",
    belowThreat: "Un jeton en {columns} laisse {other} gagner juste au-dessus.",
    hasZugzwang: "{winner} a le zugzwang : au meilleur jeu, {loser} doit finir par jouer sous {cell}.",
    threats: "Menaces de {name} : {cells}.", nothing: "Aucun joueur ne menace encore rien.",
    oddCell: "colonne {column}, rangée {row} (impaire)", evenCell: "colonne {column}, rangée {row} (paire)",
    or: " ou ",
  },
  format: {
    toMove: "Trait à {name}.", isDraw: "La partie est nulle.", hasWon: "{name} a gagné.",
    provenIn: "{word} en {distance}",
  },
  gameChoice: {
    players: "{first} et {second}", titleOfFirst: "Choisissez une des {most} premières parties sur {count}",
    title: "Choisissez une des {count} parties", cancel: "Annuler", open: "Ouvrir",
  },
  gameFiles: {
    noJson: "Ce qui suit les coups n’est pas du JSON.",
  },
  gameText: {
    problem: "Caractère {place}{problem}", openParenthesis: "Caractère {place} : une parenthèse n’est pas fermée.",
    comma: " : une virgule doit suivre un coup.", commentString: " : le commentaire n’est pas une chaîne JSON.",
    commentPlace: " : un commentaire doit suivre son coup.",
    variationPlace: " : une variante doit suivre le coup qu’elle remplace.",
    closesNothing: ", « ) », ne ferme rien.", emptyVariation: " : la variante n’a pas de coups.",
    numbers: "avec des virgules, les coups sont des nombres à partir de 0",
    digits: "sans virgules, les coups sont des chiffres à partir de 1",
    noColumn: ", « {text} », n’est pas une colonne : {how}.", missingComma: " : il manque une virgule avant le coup.",
    duplicate: " : la colonne {token} y est déjà comme variante.",
    tooMany: " : une partie a au plus {most} coups dans toutes ses variantes.",
  },
  game: {
    noColumn: "Il n’y a pas de colonne {column} : le plateau a les colonnes {first} à {width}.",
    over: "La partie est finie.", full: "La colonne {column} est pleine.",
  },
  graph: {
    yellowWins: "Jaune gagne", draw: "Nulle", redWins: "Rouge gagne",
  },
  header: {
    analyse: "Analyse", play: "Jouer", learn: "Apprendre", review: "Bilan", puzzles: "Problèmes",
    autoTheme: "Thème : celui du système", lightTheme: "Thème : clair", darkTheme: "Thème : sombre",
    noDiagonals: ", sans diagonales", rules: "{width} × {height}, {connect} alignés{diagonals}",
    rulesTitle: "Changer de plateau", keys: "Touches",
    help: "Les colonnes comptent à partir de 1. Une valeur est le résultat attendu d’un joueur : 1 un gain, ½ une " +
      "nulle, 0 une perte. Les scores sont ceux du solveur : +1 gagne avec le dernier jeton, +2 avec un jeton " +
      "d’avance et ainsi de suite, −1 et −2 de même pour l’autre camp ; 0 est une nulle.",
    sound: "Son des jetons", language: "Langue", ofBrowser: "celle du navigateur", close: "Fermer",
  },
  installation: {
    newVersion: "Une nouvelle version de cette page est prête. Votre partie est conservée.", reload: "Recharger",
  },
  keyboard: {
    play: "jouer une colonne", backAndForward: "reculer ou avancer", homeAndEnd: "Début Fin",
    toStartOrEnd: "au début ou à la fin", space: "Espace",
    startOrStop: "démarrer ou arrêter la recherche ; dans Apprendre : lecture ou pause",
    inLearn: "dans Apprendre : reculer ou avancer d’une phase, simulation précédente ou suivante", hint: "indice",
    next: "le problème suivant ou l’erreur suivante", swap: "échanger les couleurs",
    present: "présenter : plein écran, grands caractères ; P ou Échap pour finir", tab: "Tab",
    toTheBoard: "vers le plateau ; là, ← → choisissent une colonne, Entrée la joue", controlZ: "Ctrl Z",
    undo: "annuler ; Ctrl Maj Z ou Ctrl Y : rétablir", controlV: "Ctrl V",
    paste: "mettre une position copiée sur le plateau", help: "cette liste",
  },
  main: {
    played: "{name} a joué la colonne {column}.", position: "Position après {ply} coups.",
    failed: "{reason} Votre partie est conservée.", restart: "Redémarrer",
    trying: "{reason} Nouvel essai ; votre partie est conservée.",
  },
  movesTable: {
    move: "Coup", result: "Résultat", search: "Valeur", visits: "Visites", line: "Suite",
    caption: "Coups, le meilleur d’abord", play: "Jouer la colonne {column}",
    expected: "Ce que la recherche attend, pas le meilleur jeu",
  },
  notation: {
    tooLong: "Un texte de {length} caractères est trop long pour une position.",
    puzzleLink: "C’est un lien vers un problème : ouvrez-le dans la barre d’adresse.",
    longAddress: "Cette adresse est trop longue pour une position.",
    address: "La partie de l’adresse après # est illisible.",
    noBoard: "« {text} » n’est pas un plateau : écrivez par exemple 7x6x4.",
    limit: "{name} : de {low} à {high} sur cette page, pas {number}.",
    wideBoard: "Avec plus de 9 colonnes, écrivez une liste avec des virgules, colonnes à partir de 0 : 3,11,2.",
    noDigit: "Le caractère {index}, « {letter} », n’est pas une colonne : sans virgules, ce sont des chiffres dès 1.",
    character: "caractère {index}",
    noNumber: "L’élément {index}, « {shown} », n’est pas une colonne : avec des virgules, ce sont des nombres dès 0.",
    entry: "élément {index}", illegal: "Coup {number} ({place}) : {refusal}",
  },
  notebook: {
    swapColours: "Échanger les couleurs",
  },
  openingWords: {
    allLose: "toutes perdent", winning: ["{count} sur {replies} gagne", "{count} sur {replies} gagnent"],
    drawing: ["{count} sur {replies} annule", "{count} sur {replies} annulent"],
    otherBoard: "Le livre est pour 7 × 6, quatre alignés.",
    end: "Le livre contient toutes les positions jusqu’à 12 jetons, et de celles jusqu’à 24 jetons, celles " +
      "auxquelles mène le meilleur jeu.",
  },
  openings: {
    move: "Coup", result: "Résultat", replies: "Réponses", leadsTo: "Mène à",
    caption: "Coups du livre d’ouvertures, le meilleur d’abord", title: "Livre d’ouvertures",
    over: "La partie est finie.", play: "Jouer la colonne {move}",
  },
  positions: {
    problem: "{problem} La partie est inchangée.", noMoves: "Lu comme une position sans coups.",
    list: "Lu comme les colonnes {columns}{more} du plateau : une liste avec virgules les compte dès 0.",
    digits: "Lu comme les colonnes {columns}{more} du plateau : les chiffres les comptent dès 1.",
  },
  presets: {
    strong: "Ce avec quoi c4mcts joue : des rollouts sans gaffes, des preuves et le solveur exact.",
    uct: "UCT simple, comme dans les manuels : rollouts aléatoires, c = 1,41, et rien d’autre.",
    perfect: "« strong » avec le livre de toutes les positions jusqu’à 12 jetons.",
    network: "PUCT avec un petit réseau du paquet à la place des rollouts, avec des preuves et le solveur exact.",
    "uct-timed": "Le programme d’un blog : UCT simple, pour lequel une nulle est une perte des deux joueurs.",
    "report-minimax": "Un projet de cours : UCT simple avec des récompenses de −1 à 1 ; les positions atteintes de " +
      "deux façons n’en font qu’une.",
    "report-random": "Le même projet de cours, avec un adversaire qui joue au hasard.",
    "notebook-uct": "Un notebook de cours : une nulle est une perte, et le coup de plus grande valeur est joué.",
    "no-diagonals": "Un jeu de bureau sans diagonales : il joue le coup au score le plus élevé et préfère gagner vite.",
  },
  rulesDialog: {
    columns: "Colonnes", rows: "Rangées", inARow: "À aligner", diagonals: "Les diagonales comptent", cancel: "Annuler",
    newGame: "Nouvelle partie", title: "Autre plateau",
  },
  searchFields: {
    random: "aléatoires", decisive: "décisifs", safe: "sûrs", ofPreset: "ceux du profil", preset: "Profil",
    exploration: "Facteur d’exploration c", placeholder: "celui du profil",
    refusal: "Le facteur d’exploration c est un nombre de 0 à {most}, pas {text}.", rollouts: "Rollouts",
  },
  share: {
    title: "Partager", link: "Lien", moves: "Coups", python: "Python", kaggle: "Kaggle", drawing: "Dessin",
    onYourPage: "Sur votre page", png: "PNG", svg: "SVG", animation: "SVG animé de la partie", close: "Fermer",
    copyLabel: "Copier : {name}", copied: "{name} : copié.",
    notAllowed: "Le navigateur ne permet pas de copier ; le texte est sélectionné, Ctrl C le copie.", copy: "Copier",
  },
  status: {
    loading: "Chargement", starting: "Le moteur démarre.",
    loadingEngine: "Le moteur se charge ; vous pouvez déjà jouer sur le plateau.",
  },
  storage: {
    unreadable: "La partie enregistrée par ce navigateur est illisible ; elle a été mise de côté.",
  },
  toolbar: {
    placeholder: "coups",
    movesLabel: "Coups : tapez ou collez des coups, une FEN ou un lien, puis appuyez sur Entrée", newGame: "Nouvelle",
    newTitle: "Commencer une nouvelle partie sur ce plateau", edit: "Composer",
    editTitle: "Composer une position : poser et retirer des jetons",
    share: "Partager", shareTitle: "Lien, image, code de cette position", save: "Enregistrer",
    saveTitle: "Enregistrer la partie (fichier texte)", open: "Ouvrir", openTitle: "Ouvrir une partie (fichier texte)",
    swap: "Échanger les couleurs", swapTitle: "Échanger les couleurs (F)", first: "Au début (Début)",
    back: "Reculer (←)", forward: "Avancer (→)", last: "À la fin (Fin)", undo: "Annuler",
    undoTitle: "Annuler (Ctrl Z)", redo: "Rétablir", redoTitle: "Rétablir (Ctrl Maj Z)",
    largeFile: "{name} est trop grand pour un fichier de parties. La partie est inchangée.",
  },
  transports: {
    failed: "Le moteur est tombé en panne{reason}.", notLoaded: "il ne peut pas être chargé",
  },
  treeExplorer: {
    move: "Coup", visits: "Visites", value: "Valeur", score: "Score", proof: "Preuve", caption: "Nœuds de l’arbre",
    most: "{most} nœuds sont ouverts, c’est le maximum : fermez-en.",
    note: "{visits} visites, facteur d’exploration {exploration}", empty: "L’arbre de la recherche apparaît ici.",
    column: "Colonne {columns}",
  },
  variations: {
    label: "Coups", promote: "Ligne principale", remove: "Supprimer la suite",
    comment: "Commentaire", commentLabel: "Commentaire du coup {number}", commentOnStart: "Commentaire du début",
    move: "Coup {number}, {name} colonne {column}",
  },
  verdict: {
    isWinning: "{name} a une position gagnante", isClearlyAhead: "{name} a un net avantage",
    isAhead: "{name} a l’avantage", solver: "Solveur", search: "Recherche", draw: "Partie nulle",
    hasWon: "{name} a gagné", drawWithBestPlay: "Nulle au meilleur jeu", wins: "{name} gagne",
    winsIn: "{wins} en {moves}", winsInAtMost: "{wins} en {moves} au plus", toMove: "Trait à {name}", even: "Égalité",
    belief: "{says} pour {name}, colonne {move}", notBest: "{text} : pas le meilleur coup",
    noProof: "{text} : pas encore de preuve", exact: "{score}, le mieux {columns}",
  },
  counts: {
    mistakes: ["{count} erreur", "{count} erreurs"],
    yellowDiscs: ["{count} jeton jaune", "{count} jetons jaunes"],
    simulations: ["{count} simulation", "{count} simulations"],
    moves: ["{count} coup", "{count} coups"],
    draws: ["{count} nulle", "{count} nulles"],
  },
};
