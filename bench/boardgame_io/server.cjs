// The server of boardgame.io: `node server.cjs [FOLDER]`. It stores matches with FlatFile in FOLDER, or in memory,
// and prints its URL. `GET /written` maps `MATCH STATE` to the time at which the state was written to its file, in
// milliseconds of the clock of `common.cjs`.

const { FlatFile, Server } = require('boardgame.io/server');
const { game } = require('./game.cjs');
const { clock } = require('./common.cjs');

const written = {};

class Timed extends FlatFile {
  async setState(matchID, state, ...more) {
    await super.setState(matchID, state, ...more);
    written[`${matchID} ${state._stateID}`] = clock();
  }
}

const folder = process.argv[2];
const server = Server({ games: [game], origins: [], db: folder ? new Timed({ dir: folder }) : undefined });
server.router.get('/written', (context) => {
  context.body = written;
});
server
  .run({ port: 0 })
  .then(({ appServer }) => console.log(`http://127.0.0.1:${appServer.address().port}`));
