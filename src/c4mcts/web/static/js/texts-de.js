/** All texts in German, in the forms of texts-en.js. */

import { learn } from "./texts-de-learn.js";
import { page } from "./texts-de-page.js";
import { play } from "./texts-de-play.js";

export const texts = { language: "de", ...page, ...learn, ...play };
