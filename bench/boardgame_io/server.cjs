// boardgame.io's own server: `node server.cjs [FOLDER]`, with its FlatFile store in that folder, or in memory. Prints its URL. Under /saved
// it says when which state of which match was written into the files, in milliseconds of the machine's clock.

const { FlatFile, Server } = require('boardgame.io/server');
const { game } = require('./game.cjs');
const { clock } = require('./told.cjs');

const saved = {};

class Timed extends FlatFile {
  async setState(matchID, state, ...more) {
    await super.setState(matchID, state, ...more);
    saved[`${matchID} ${state._stateID}`] = clock();
  }
}

const folder = process.argv[2];
const server = Server({ games: [game], origins: [], db: folder ? new Timed({ dir: folder }) : undefined });
server.router.get('/saved', (context) => {
  context.body = saved;
});
server
  .run({ port: 0 })
  .then(({ appServer }) => console.log(`http://127.0.0.1:${appServer.address().port}`));
