'use strict';
const { execFile, spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');

// Recovery replays at most what the journals hold; a minute is far more than that takes on a slow disk.
const START_SECONDS_MAX = 60;
const STOP_SECONDS_MAX = 30;
const WARNINGS_MAX = 40;
const LINE_CHARACTERS_MAX = 500;
// What configures this test is not for the server, which warns of keys that it does not know.
const ENVIRONMENT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('JACKDAW_')));

// The search engine of all new indexes; null for the server's own choice.
const ENGINE = process.env.END_TO_END_ENGINE ?? null;
const ENGINES = ENGINE === null ? [] : ['Static', 'Auto'].map(kind => `--Indexing.${kind}.SearchEngineType=${ENGINE}`);

/** The server under test: a process with a folder of its own, which can be killed and started again on the same data. */
class Server {
  #executable;
  #folder = fs.mkdtempSync(path.join(os.tmpdir(), 'jackdaw-end-to-end-'));
  #process = null;
  #port = 0;
  #scheme;

  /** With the scheme https it is secured, and makes its certificates at its first start. */
  constructor(executable, scheme = 'http') {
    this.#executable = executable;
    this.#scheme = scheme;
  }

  get running() {
    return this.#process !== null && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  get url() {
    return `${this.#scheme}://127.0.0.1:${this.#port}`;
  }

  get folder() {
    return this.#folder;
  }

  /** A file of its certificates. */
  key(name) {
    return path.join(this.#folder, 'data', 'Security', name);
  }

  get log() {
    return fs.readFileSync(this.#log).toString();
  }

  /** Runs a verb of the executable as somebody on this machine would, in the server's folder. Returns what it prints. */
  async verb(...args) {
    const settings = [`--ServerUrl=${this.url}`, `--DataDir=${path.join(this.#folder, 'data')}`];
    const { stdout } = await promisify(execFile)(this.#executable, [...args, ...settings], { cwd: this.#folder, env: ENVIRONMENT });
    return stdout;
  }

  get #log() {
    return path.join(this.#folder, 'server.log');
  }

  /** With a prefix, a tracer that runs it as its own process, such as strace -D. */
  async start(prefix = []) {
    this.#port ||= await freePort();
    const log = fs.openSync(this.#log, 'a');
    const from = fs.statSync(this.#log).size;
    const [command, ...args] = [...prefix, this.#executable, `--ServerUrl=${this.url}`, `--DataDir=${path.join(this.#folder, 'data')}`, ...ENGINES];
    this.#process = spawn(command, args, {
      stdio: ['ignore', log, log],
      cwd: this.#folder,
      env: ENVIRONMENT
    });
    fs.closeSync(log);
    const spawnError = new Promise(resolve => this.#process.once('error', resolve));
    const deadline = Date.now() + START_SECONDS_MAX * 1000;
    while (Date.now() < deadline) {
      const failed = await Promise.race([spawnError, new Promise(resolve => setTimeout(resolve, 50, null))]);
      if (failed) throw new Error(`could not start ${command}: ${failed.message}`);
      if (!this.running)
        throw new Error(`the server ended at once (exit ${this.#process.exitCode}): ${this.#tail(from)}`);
      if (fs.readFileSync(this.#log).subarray(from).includes('Server available on:')) return this.url;
    }
    throw new Error(`no "Server available on:" within ${START_SECONDS_MAX} s: ${this.#tail(from)}`);
  }

  /** The nearest thing to a power cut that a test can do to a process: it gets no chance to finish anything. */
  async kill() {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }

  async stop() {
    expectRunning(this);
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    const timeout = setTimeout(() => this.#process.kill('SIGKILL'), STOP_SECONDS_MAX * 1000);
    const [code, signal] = await ended;
    clearTimeout(timeout);
    if (signal === 'SIGKILL') throw new Error(`still running ${STOP_SECONDS_MAX} s after SIGTERM`);
    if (code !== 0) throw new Error(`exit ${code ?? signal} after SIGTERM: ${this.#tail(0)}`);
  }

  async dispose(failed) {
    if (this.running) await this.kill();
    if (failed && fs.existsSync(this.#log)) console.log(`warnings of the server, and its last lines:\n${this.#warnings()}\n${this.#tail(0)}`);
    if (process.env.JACKDAW_KEEP) console.log(`data and log are in ${this.#folder}`);
    else fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  #warnings() {
    const lines = fs.readFileSync(this.#log).toString().split('\n');
    return lines
      .filter(line => / (warn|fail|crit): /.test(line))
      .map(line => line.slice(0, LINE_CHARACTERS_MAX))
      .slice(-WARNINGS_MAX)
      .join('\n');
  }

  #tail(from) {
    return (
      fs.readFileSync(this.#log).subarray(from).toString().trimEnd().split('\n').slice(-20).join('\n') ||
      '(it printed nothing)'
    );
  }
}

function expectRunning(server) {
  if (!server.running) throw new Error('the server is not running');
}

/** A port that is free now. It stays the same over restarts, as it would in production. */
async function freePort() {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

module.exports = { Server };
