import type { Readable, Writable } from 'node:stream';
import type { Channel } from './channel';
import { LineSplitter } from './lines';
import type { SupervisedProcess } from './agent-process';

/** The supervisor's own standard streams. */
export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** Passes on what a program writes, unchanged, and shows each line to its channel. */
export function passOutput(running: SupervisedProcess, channel: Channel, streams: Streams, heard: () => void): void {
  const { stdout, stderr } = running.child;
  const lines = new LineSplitter();
  stdout?.on('data', (chunk: Buffer) => {
    if (channel.passes === 'raw') write(streams.stdout, chunk, stdout);
    for (const line of lines.push(chunk)) {
      const passed = channel.programWrote(line);
      if (passed && channel.passes === 'lines') write(streams.stdout, line, stdout);
    }
    heard();
  });
  stdout?.on('end', () => {
    const rest = lines.rest();
    if (rest.length > 0 && channel.passes === 'lines') streams.stdout.write(rest);
  });
  stderr?.on('data', (chunk: Buffer) => write(streams.stderr, chunk, stderr));
}

/** Writes with back-pressure: pauses the source while the reader is slower. */
function write(to: Writable, chunk: Buffer, from: Readable, resume: () => void = () => from.resume()): void {
  if (to.write(chunk) || from.isPaused()) return;
  from.pause();
  to.once('drain', resume);
}

/** The person's standard input, passed to whichever program is running. Between two programs it waits. */
export class Input {
  private readonly lines = new LineSplitter();
  private to: { running: SupervisedProcess; channel: Channel } | null = null;
  private ended = false;

  constructor(private readonly from: Readable) {
    from.on('data', (chunk: Buffer) => this.pass(chunk));
    from.on('end', () => {
      this.ended = true;
      this.settle();
    });
    from.on('error', () => undefined);
    from.pause();
  }

  attach(running: SupervisedProcess, channel: Channel): void {
    this.to = { running, channel };
    this.settle();
    if (!this.ended) this.from.resume();
  }

  detach(): void {
    this.to = null;
    this.from.pause();
  }

  /** Closes the program's standard input once the person has closed theirs and nothing is left to send. */
  settle(): void {
    const { running, channel } = this.to ?? {};
    const stdin = running?.child.stdin;
    if (!this.ended || !stdin || !channel || stdin.writableEnded) return;
    const rest = this.lines.rest();
    if (rest.length > 0) {
      channel.personWrote(rest);
      stdin.write(rest.at(-1) === 0x0a ? rest : Buffer.concat([rest, Buffer.from('\n')]));
    }
    if (channel.mayCloseInput()) stdin.end();
  }

  dispose(): void {
    this.detach();
    // A pending read from the terminal must not keep this process alive.
    this.from.destroy();
  }

  private pass(chunk: Buffer): void {
    const { running, channel } = this.to ?? {};
    const stdin = running?.child.stdin;
    if (!stdin || !channel || stdin.writableEnded) return;
    // Once it has been detached, what it still reads says nothing about the next program.
    const resume = () => {
      if (this.to?.running === running) this.from.resume();
    };
    if (channel.passes === 'raw') {
      write(stdin, chunk, this.from, resume);
      return;
    }
    for (const line of this.lines.push(chunk)) {
      channel.personWrote(line);
      write(stdin, line, this.from, resume);
    }
  }
}
