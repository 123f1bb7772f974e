import * as vscode from 'vscode';
import { CREDENTIALS, credentialsNeeded } from '../../core/words';
import { inform, warn } from '../voice';

/** Key under which the editor's secret storage keeps them. */
const KEY = 'unstuck.fleet.credentials';
/** Servers for which a person was already asked. */
const ASKED_KEY = 'unstuck.fleet.asked';
/** Size limit of a credentials file, bytes. Such a file has a few kilobytes. */
const LARGEST = 64 * 1024;
/** An NKey seed of a user. */
const SEED = /\bSU[A-Z2-7]{56}\b/;

type Memory = Pick<vscode.ExtensionContext, 'secrets' | 'globalState'>;

/** The credentials for the message server, kept in the editor's secret storage and nowhere else. A person is asked for them once. */
export class FleetCredentials {
  constructor(private readonly memory: Memory) {}

  /** Fires when they were set or forgotten in any window. */
  onDidChange(listener: () => void): { dispose(): void } {
    return this.memory.secrets.onDidChange(({ key }) => {
      if (key === KEY) listener();
    });
  }

  async get(): Promise<string | undefined> {
    return this.memory.secrets.get(KEY);
  }

  /** Offers once for these servers to set the credentials. */
  async askOnce(servers: readonly string[]): Promise<void> {
    const asked = servers.join(' ');
    if (this.memory.globalState.get(ASKED_KEY) === asked) return;
    await this.memory.globalState.update(ASKED_KEY, asked);
    const { text, set, not } = credentialsNeeded(servers[0] ?? '');
    const answer = await inform(text, set, not);
    if (answer === set) await this.set();
  }

  /** Sets them from a file. */
  async set(): Promise<void> {
    const text = await readFile();
    if (text === undefined) return;
    if (SEED.test(text)) await this.memory.secrets.store(KEY, text);
    else void warn(CREDENTIALS.none());
  }

  async forget(): Promise<void> {
    await this.memory.secrets.delete(KEY);
    await this.memory.globalState.update(ASKED_KEY, undefined);
    void inform(CREDENTIALS.forgotten());
  }
}

async function readFile(): Promise<string | undefined> {
  const [file] =
    (await vscode.window.showOpenDialog({ openLabel: CREDENTIALS.open(), title: CREDENTIALS.title() })) ?? [];
  if (!file) return undefined;
  const { size } = await vscode.workspace.fs.stat(file);
  return size > LARGEST ? '' : new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}
