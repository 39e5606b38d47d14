/** All texts in Spanish, in the forms of texts-en.js. */

import { learn } from "./texts-es-learn.js";
import { page } from "./texts-es-page.js";
import { play } from "./texts-es-play.js";

export const texts = { language: "es", ...page, ...learn, ...play };
