// boardgame.io's own server: `node server.cjs [FOLDER]`, with its FlatFile store in that folder, or in memory. Prints its URL.

const { FlatFile, Server } = require('boardgame.io/server');
const { game } = require('./game.cjs');

const folder = process.argv[2];
const server = Server({ games: [game], origins: [], db: folder ? new FlatFile({ dir: folder }) : undefined });
server
  .run({ port: 0 })
  .then(({ appServer }) => console.log(`http://127.0.0.1:${appServer.address().port}`));
