/** What an error means with which a game of this device could not be sent to the server. */
import { ApiError } from '../lib/api';

/** The code of an answer of a proxy, or of the network of a train, instead of the server. */
const NOT_THE_SERVER = 'no-answer';

/** Return the refusal of the server: it is about this game alone. Throws any other error: no game would arrive now. */
export function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError && error.status !== 0 && error.code !== NOT_THE_SERVER) return error;
  throw error;
}
