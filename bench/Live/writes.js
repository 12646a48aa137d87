'use strict';
// Writes at a fixed rate, over connections that are kept open.
const net = require('node:net');

const CONNECTIONS = 16;

const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

/** Connections that send PUTs one after the other, each when it is due. */
class Writes {
  sent = 0;
  answered = 0;
  refused = 0;

  constructor(port, database, rate) {
    this.database = database;
    this.rate = rate;
    this.sockets = Array.from({ length: CONNECTIONS }, () => net.connect(port, '127.0.0.1'));
    this.idle = [...this.sockets];
    for (const socket of this.sockets) {
      socket.setNoDelay();
      socket.on('data', answer => {
        if (!String(answer).startsWith('HTTP/1.1 201')) this.refused++;
        this.answered++;
        this.idle.push(socket);
      });
    }
  }

  close() {
    for (const socket of this.sockets) socket.destroy();
  }

  /** @returns how many were answered: all that were sent. */
  async run(ms) {
    const began = process.hrtime.bigint();
    const before = this.answered;
    let due = 0;
    let issued = 0;
    for (;;) {
      const elapsed = Number(process.hrtime.bigint() - began) / 1e6;
      if (elapsed >= ms) break;
      due = Math.floor(elapsed / 1000 * this.rate);
      while (issued < due && this.idle.length > 0) {
        const body = `{"Name":"name ${this.sent}","Total":${this.sent % 1000},"@metadata":{"@collection":"Orders"}}`;
        const target = `/databases/${this.database}/docs?id=orders/${this.sent++ % 50_000}`;
        this.idle.pop().write(`PUT ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
        issued++;
      }

      await pause(1);
    }

    while (this.idle.length < CONNECTIONS) await pause(1);
    return this.answered - before;
  }
}

module.exports = { pause, Writes };
