// Plays a game of Tiki with random moves and asks why a move is refused: node play.js [host:port]
"use strict";

const path = require("node:path");
const grpc = require("@grpc/grpc-js");
const loader = require("@grpc/proto-loader");

const definition = loader.loadSync("papamu/rules/v1/rules.proto", {
  includeDirs: [path.join(__dirname, "..", "..", "proto")],
  longs: String,
  enums: String,
  defaults: true,
  oneofs: true,
});
const { RulesService } = grpc.loadPackageDefinition(definition).papamu.rules.v1;
const client = new RulesService(process.argv[2] || "127.0.0.1:7451", grpc.credentials.createInsecure());

// A call as a promise, with a deadline of ten seconds.
function call(method, request) {
  return new Promise((resolve, reject) => {
    client[method](request, { deadline: Date.now() + 10_000 }, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

async function main() {
  const { games } = await call("ListGames", {});
  console.log("games:", games.map((game) => game.slug).join(" "));

  let { position, actor } = await call("NewGame", { setup: { tiki: { turnLimit: 40 } }, seed: 7 });
  const tokens = [];
  while (actor.actor !== "terminal") {
    const legal = await call("ListLegalMoves", { position });
    const choice = Math.floor(Math.random() * legal.moves.length);
    tokens.push(legal.tokens[choice]);
    ({ position, actor } = await call("ApplyMoves", { position, actions: [{ move: legal.moves[choice] }] }));
  }
  const { scores } = await call("ScorePosition", { position });
  console.log("moves:", tokens.join(" "));
  console.log("over:", actor.terminal.reason, "scores:", scores.join(" "));

  const refused = await call("ValidateMove", { position, action: { move: { tiki: { create: { village: 0 } } } } });
  for (const reason of refused.reasons) {
    console.log("refused:", reason.id, "-", reason.sentence);
  }
}

main().then(
  () => client.close(),
  (error) => {
    console.error(`${grpc.status[error.code] ?? "ERROR"}: ${error.details ?? error.message}`);
    process.exitCode = 1;
    client.close();
  },
);
