// What analysis_board.py puts before widget/loader.js.

/** [name, text] of the page's modules, those first that import no others. */
declare const MODULES: [name: string, text: string][];
declare const STYLE: string;
