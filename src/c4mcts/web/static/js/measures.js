/** Measures of the picture of a board, as in view/svg.py. */

export const CELL = 48; // width of a cell, in units of the picture
export const EDGE = 10; // width of the frame around the cells
