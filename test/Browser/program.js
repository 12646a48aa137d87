'use strict';
const { spawn } = require('node:child_process');
const { once } = require('node:events');

// Far more than a start takes on a slow machine.
const START_SECONDS_MAX = 60;
const STOP_SECONDS_MAX = 20;

/** A program that says in its output at which address it listens. */
class Program {
  #name;
  #process;
  #output = '';
  #ended;
  #hasEnded = false;

  constructor(name, command, args) {
    this.#name = name;
    this.#process = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#ended = once(this.#process, 'close')
      .catch(error => [error.message])
      .finally(() => (this.#hasEnded = true));
    for (const stream of [this.#process.stdout, this.#process.stderr]) stream.on('data', data => (this.#output += data));
  }

  /** Waits for the address. */
  async address(before) {
    const found = () => this.#output.match(new RegExp(`${before}\\s*(https?://127\\.0\\.0\\.1:\\d+)\\s`))?.[1];
    const deadline = AbortSignal.timeout(START_SECONDS_MAX * 1000);
    while (!found()) {
      if (this.#hasEnded) throw new Error(`${this.#name} ended: ${this.tail}`);
      if (deadline.aborted) throw new Error(`${this.#name} does not say "${before}": ${this.tail}`);
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    return found();
  }

  /** Ends it as a user would. Returns its exit code. */
  async stop() {
    this.#process.kill('SIGTERM');
    const limit = setTimeout(() => this.#process.kill('SIGKILL'), STOP_SECONDS_MAX * 1000);
    const [code, signal] = await this.#ended;
    clearTimeout(limit);
    return code ?? signal;
  }

  kill() {
    this.#process.kill('SIGKILL');
  }

  get tail() {
    return this.#output.trimEnd().split('\n').slice(-20).join('\n') || '(it printed nothing)';
  }
}

module.exports = { Program };
