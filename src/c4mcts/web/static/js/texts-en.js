/** All texts in English. The places of values are in braces; of two forms the first is for one, the second for more. */

import { learn } from "./texts-en-learn.js";
import { page } from "./texts-en-page.js";
import { play } from "./texts-en-play.js";

export const texts = { language: "en", ...page, ...learn, ...play };
