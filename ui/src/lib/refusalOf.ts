import { sentence } from './api';

/**
 * Wait for a promise and return the sentence of its error, empty if it succeeded. A modal dialog
 * covers notices and silences the live region of the page, so it shows its refusals itself.
 */
export const refusalOf = (doing: Promise<unknown>): Promise<string> => doing.then(() => '', sentence);
