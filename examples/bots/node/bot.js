// A bot as a gRPC service: node bot.js 127.0.0.1:50070 [folder of the .proto files]
const path = require("node:path");
const grpc = require("@grpc/grpc-js");
const loader = require("@grpc/proto-loader");

const [address = "127.0.0.1:50070", protos = path.join(__dirname, "../../../proto")] = process.argv.slice(2);
const definition = loader.loadSync("papamu/bot/v1/bot.proto", { includeDirs: [protos], keepCase: true });
const { BotService } = grpc.loadPackageDefinition(definition).papamu.bot.v1;

function chooseMove(call, answer) {
  const moves = call.request.legal_moves;
  answer(null, { token: moves[Math.floor(Math.random() * moves.length)].token });
}

const server = new grpc.Server();
server.addService(BotService.service, { chooseMove });
server.bindAsync(address, grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(`serving on port ${port}`);
});
