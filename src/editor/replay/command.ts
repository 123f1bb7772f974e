import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { readText } from '../../base/files';
import { takeMessages } from '../../agents/inbox/messages/waiting';
import { Replay, type ReplayPort, SCENARIOS } from './';
import { setContext } from '../context-keys';
import type { WatchedFolders } from '../folders';
import type { Services } from '../services';

/** Size limit of a recorded run, bytes. */
const LARGEST_RECORDING = 16 * 1024 * 1024;

/**
 * Plays the three recorded runs of the package as if they happened now, in a folder of the extension's own storage: a first look that writes nothing
 * to any agent. The replay itself takes a nudge at its next batch of calls.
 */
export class ReplayCommand implements vscode.Disposable {
  private readonly runs: Replay[] = [];
  private readonly root: string;
  /** Folder in which the replayed agents appear to work, while a replay runs or its agents are still shown. */
  private folder: string | null = null;
  private readonly recordings: string;
  /** Number of starts and stops so far. A start has asynchronous steps, and continues only while it is the newest. */
  private turn = 0;
  private starting: Promise<void> = Promise.resolve();

  constructor(
    private readonly services: Pick<Services, 'context' | 'engine' | 'now' | 'replayed'>,
    private readonly folders: WatchedFolders,
  ) {
    const { context } = services;
    this.root = join(context.globalStorageUri.fsPath, 'replay');
    this.recordings = join(context.extensionUri.fsPath, 'media/demo');
  }

  /** Starts from the beginning. What an earlier replay left is removed, from the lists too. */
  start(): Promise<void> {
    this.stop();
    const { turn } = this;
    // After an earlier start, which may still be removing the folder.
    const begin = () => this.begin(() => this.turn !== turn);
    this.starting = this.starting.then(begin, begin);
    return this.starting;
  }

  private async begin(isOver: () => boolean): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
    const run = join(this.root, String(this.services.now()));
    const folder = join(run, 'calculator');
    const transcripts = join(run, 'transcripts');
    await mkdir(folder, { recursive: true });
    await mkdir(transcripts, { recursive: true });
    if (isOver()) return;
    this.folder = folder;
    this.folders.addReplayed(folder);
    setContext('unstuck.replaying', true);
    let running = SCENARIOS.length;
    for (const scenario of SCENARIOS) {
      const recording = await this.recordingOf(scenario.recording);
      if (isOver()) return;
      const session = randomUUID();
      this.services.replayed.add(session);
      const file = join(transcripts, `${session}.jsonl`);
      const replay = new Replay(this.port(file, folder), {
        scenario,
        recording,
        session,
        folder,
        speed: 1,
        onEnd: () => {
          running--;
          if (running === 0) setContext('unstuck.replaying', false);
        },
      });
      this.runs.push(replay);
      await replay.start();
      if (isOver()) return;
      const { size, mtimeMs, ino } = await stat(file);
      this.services.engine.consider({ path: file, size, modifiedAt: mtimeMs, inode: ino, appeared: true });
    }
  }

  private async recordingOf(name: string): Promise<string> {
    const read = await readText(join(this.recordings, name), { limit: LARGEST_RECORDING });
    if (read.ok) return read.value;
    throw new Error(`${read.error.path}: ${read.error.code}`);
  }

  isReplayed(view: { readonly cwd?: string }): boolean {
    return this.folder !== null && view.cwd === this.folder;
  }

  stop(): void {
    this.turn++;
    for (const replay of this.runs.splice(0)) replay.dispose();
    this.services.replayed.stop();
    setContext('unstuck.replaying', false);
  }

  dispose(): void {
    this.turn++;
    for (const replay of this.runs) replay.dispose();
  }

  private port(file: string, folder: string): ReplayPort {
    return {
      now: () => this.services.now(),
      after: (milliseconds, run) => {
        const timer = setTimeout(run, milliseconds);
        return { dispose: () => clearTimeout(timer) };
      },
      append: (_session, lines) => appendFile(file, lines),
      hook: async (session, event) => {
        // The replay takes nudges, but offers no way to refuse it a call.
        if (event === 'PreToolUse') return '';
        const now = this.services.now();
        const taken = await takeMessages({
          root: folder,
          session,
          by: 'replay',
          now,
          choose: (waiting) => waiting.filter((message) => message.kind === 'nudge'),
        });
        if (!taken.ok || taken.value.messages.length === 0) return '';
        const additionalContext = taken.value.messages.map((message) => message.text).join('\n\n');
        return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext } });
      },
    };
  }
}
