// Strangers that send damaged handshakes: as many connections at once as asked for, each a ClientHello with a few bytes changed, cut off, or with rubbish
// behind it; closed after 5 to 25 ms, and begun again: 1,000 a second with 16 connections. Prints how many there were.
// usage: node handshake-fuzz.js PORT CONNECTIONS SECONDS [FROM_ADDRESS]
const net = require('net');
const tls = require('tls');
const [port, connections, seconds, from] = [Number(process.argv[2]), Number(process.argv[3]), Number(process.argv[4]), process.argv[5]];
const end = Date.now() + seconds * 1000;
let seed = 1;
let begun = 0;
const random = below => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return seed % below; };

// A real ClientHello, taken from a client whose socket goes nowhere.
function takeHello() {
  const { Duplex } = require('stream');
  return new Promise(resolve => {
    const sink = new Duplex({ read() { }, write(chunk, encoding, done) { resolve(Buffer.from(chunk)); done(); } });
    tls.connect({ socket: sink, servername: 'localhost', rejectUnauthorized: false }).on('error', () => { });
  });
}

function damage(hello) {
  const bytes = Buffer.from(hello);
  switch (random(4)) {
    case 0: return bytes.subarray(0, 1 + random(bytes.length - 1));
    case 1: for (let i = 0; i < 1 + random(8); i++) bytes[random(bytes.length)] = random(256); return bytes;
    case 2: return Buffer.concat([bytes, Buffer.alloc(random(4096), random(256))]);
    default: return bytes;
  }
}

function run(hello) {
  if (Date.now() > end) return;
  begun++;
  const socket = net.connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('connect', () => socket.write(damage(hello)));
  socket.on('error', () => { });

  // The same pace whether the server closes at once or waits.
  setTimeout(() => { socket.destroy(); run(hello); }, 5 + random(20));
}

takeHello().then(hello => {
  for (let i = 0; i < connections; i++) run(hello);
  setTimeout(() => { console.log(`${begun} handshakes`); process.exit(0); }, seconds * 1000 + 500);
});
