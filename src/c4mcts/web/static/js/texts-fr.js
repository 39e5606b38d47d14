/** All texts in French, in the forms of texts-en.js. */

import { learn } from "./texts-fr-learn.js";
import { page } from "./texts-fr-page.js";
import { play } from "./texts-fr-play.js";

export const texts = { language: "fr", ...page, ...learn, ...play };
