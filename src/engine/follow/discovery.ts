import { dirname } from 'node:path';
import type { AgentAdapter } from '../../agents/adapter';
import type { TranscriptRoot } from '../../agents/transcripts';
import type { SessionHead } from '../../agents/decoder';
import { type Candidate, HEAD_BYTES, type RootOptions, isOutOfDescriptors } from '../../base/tail';
import { type Disposable, DisposableStore } from '../../base/util/disposable';
import { errorCode } from '../../base/util/error-code';
import { contains } from '../../agents/inbox/root';
import { PendingHeads } from './pending-heads';
import { OpenFolders } from './open-folders';
import { recognising } from './recognise';
import type { EngineParts, EngineSettings } from '../ports';

/** A transcript to be followed. */
export interface FoundFile extends Pick<Candidate, 'path' | 'size' | 'modifiedAt'> {
  /** It was found in an open folder, not in its agent's own store. */
  readonly inFolder: boolean;
}

/** A session of another folder, of which only the head is known. */
export interface OtherSession {
  readonly adapter: AgentAdapter;
  readonly file: string;
  /** For a database: which of its sessions. */
  readonly session?: string;
  readonly cwd: string | undefined;
  readonly size: number;
  readonly modifiedAt: number;
}

/** A transcript that ended before the window opened and is older than the age rule. */
export interface EarlierTranscript {
  readonly adapter: AgentAdapter;
  readonly file: string;
  readonly size: number;
  readonly modifiedAt: number;
  /** For a database: which of its sessions. */
  readonly sessions?: ReadonlySet<string>;
}

const WALKED_DEPTH = 8;
/** A transcript that does not say yet where its agent works is read again after this time, up to `SOON_TRIES` times; after that, when it changes. */
const SOON_MS = 200;
const SOON_TRIES = 5;
/** Time after which a file is tried again if no descriptor was left for it. */
const AGAIN_MS = 5_000;

/** The engine as discovery sees it: queries and reports. */
export interface DiscoveryHost {
  readonly isOpen: (path: string) => boolean;
  /** True if there is a process of this session. */
  readonly isAlive: (session: string) => boolean;
  /** A transcript of the open folders was found. */
  readonly found: (file: FoundFile, adapter: AgentAdapter, head: string) => void;
  /** Its first lines could not be read: permission is missing, or no descriptor is left. */
  readonly unreadable: (path: string, adapter: AgentAdapter, why: 'permission' | 'descriptors') => void;
  /** There are more folders below a root than are followed. `held`: how many are followed; `adapter` null: a folder of the workspace. */
  readonly tooManyFolders: (root: string, adapter: AgentAdapter | null, held: number) => void;
  /** Its first lines were read. */
  readonly readable: (path: string) => void;
  /** Requests that a database be read again, because other sessions of it are wanted. */
  readonly reread: (path: string) => void;
}

/** Options for looking at a file. */
interface Looking {
  /** Number of times its head was read without an answer. */
  readonly tries?: number;
  /** Its head is read although it is old. */
  readonly opensOld?: boolean;
  /** Its place shows that it belongs to none of the open folders. */
  readonly isElsewhere?: boolean;
  /** Its head could not be read. */
  readonly failed?: () => void;
}

/**
 * Finds the transcripts of the open folders in the agents' own stores and in the workspace. Lists those of other folders, and keeps those older than
 * the age rule for the history.
 */
export class Discovery implements Disposable {
  private roots = new DisposableStore();
  private readonly others = new Map<string, OtherSession>();
  private readonly earlier = new Map<string, EarlierTranscript>();
  /** Files older than the age rule that are not opened yet: they are once the history requests them or they change. */
  private readonly older = new Map<string, { readonly candidate: Candidate; readonly adapter: AgentAdapter | null }>();
  /** Files of the workspace in formats without times, as they were when found: only a change shows which of them are being written. */
  private readonly resting = new Map<string, string>();
  private readonly heads: PendingHeads;
  /** Sessions of databases in other folders that are followed nevertheless. */
  private readonly shown = new Set<string>();
  /** Roots below which everything works in one folder, with that folder. */
  private owned: readonly { readonly root: string; readonly cwd: string }[] = [];
  private places: OpenFolders;
  /** The open folders of the previous settings. */
  private placesBefore: OpenFolders;
  private stopped = false;

  constructor(
    private readonly parts: EngineParts,
    private settings: EngineSettings,
    private readonly host: DiscoveryHost,
  ) {
    this.places = this.placesBefore = this.placesOf();
    this.heads = new PendingHeads(parts.tail);
  }

  /** Applies other folders or agents: searches everything from the start. */
  configure(settings: EngineSettings): void {
    this.settings = settings;
    this.placesBefore = this.places;
    this.places = this.placesOf();
    this.others.clear();
    this.earlier.clear();
    this.older.clear();
  }

  dispose(): void {
    this.stopped = true;
    this.roots.dispose();
  }

  /** Returns the sessions of folders that are not open. */
  otherSessions(): OtherSession[] {
    return [...this.others.values()].filter((other) => other.cwd !== undefined);
  }

  /**
   * Returns the transcripts of the open folders that are older than the age rule, for the history. The owner of each file is determined now, one file
   * after the other: for the newest `most`, without those that `isKnown` reports as checked before.
   */
  async earlierTranscripts(
    isKnown: (file: Pick<Candidate, 'path' | 'size' | 'modifiedAt'>) => boolean,
    most: number,
  ): Promise<{ readonly transcripts: readonly EarlierTranscript[]; readonly elsewhere: readonly Candidate[] }> {
    const elsewhere: Candidate[] = [];
    const unopened = [...this.older.values()]
      .filter(({ candidate }) => !isKnown(candidate))
      .sort((one, other) => other.candidate.modifiedAt - one.candidate.modifiedAt)
      .slice(0, most);
    for (const { candidate, adapter } of unopened) {
      if (this.stopped) break;
      // It may have been written again meanwhile.
      if (this.older.get(candidate.path)?.candidate !== candidate) continue;
      let isRead = true;
      await this.identify(candidate, adapter, { opensOld: true, failed: () => void (isRead = false) });
      if (this.stopped) break;
      if (isRead && !this.earlier.has(candidate.path)) elsewhere.push(candidate);
    }
    return { transcripts: [...this.earlier.values()], elsewhere };
  }

  /** Follows a session of another folder too. `session`: which one, if the file is a database. */
  show(file: string, session?: string): void {
    const key = otherKey(file, session);
    const other = this.others.get(key);
    if (!other) return;
    this.others.delete(key);
    this.shown.add(key);
    if (session !== undefined) {
      this.host.reread(file);
      return;
    }
    void this.parts.tail
      .readHead(file)
      .catch(() => '')
      .then((head) =>
        this.host.found(
          { path: file, size: other.size, modifiedAt: other.modifiedAt, inFolder: false },
          other.adapter,
          head,
        ),
      );
  }

  /** Returns where the session of a transcript works, as far as the place of the file shows it. */
  cwdOf(path: string): string | undefined {
    return this.owned.find(({ root }) => contains(root, path))?.cwd;
  }

  /** Considers a file that may be a transcript by its name, reported by the watcher of the workspace. */
  consider(candidate: Candidate): void {
    if (this.stopped || this.host.isOpen(candidate.path)) return;
    void this.identify(candidate, null);
  }

  /** Called when a process has resumed a session whose file is old. */
  wake(key: string): void {
    for (const { candidate, adapter } of this.older.values()) {
      if (adapter?.peek('', candidate.path).session === key) void this.identify(candidate, adapter);
    }
  }

  /** Starts to watch, or starts again. */
  watch(): void {
    this.roots.dispose();
    const roots = new DisposableStore();
    this.roots = roots;
    const { adapters, environment, tail } = this.parts;
    this.owned = [];
    if (this.settings.walksFolders)
      for (const folder of this.settings.folders) roots.add(tail.watch(this.workspaceRoot(folder)));
    for (const adapter of adapters) {
      if (this.settings.disabled.has(adapter.id)) continue;
      for (const root of adapter.locate(environment)) {
        if (root.cwd !== undefined) this.owned = [...this.owned, { root: root.path, cwd: root.cwd }];
        roots.add(
          tail.watch({
            path: root.path,
            depth: root.depth,
            matches: root.matches,
            enters: (folder) =>
              (root.enters?.(folder) ?? true) && (root.mayBelong?.(folder, this.places.all()) ?? true),
            onFile: (candidate) => void this.identify(candidate, adapter),
            onLimit: (held) => this.host.tooManyFolders(root.path, adapter, held),
            onWalked: () => this.watchOthers(root, adapter, roots),
          }),
        );
      }
    }
  }

  /** Watches folders that belong to other working directories, after the open folders' own have been walked: their sessions are listed. */
  private watchOthers(root: TranscriptRoot, adapter: AgentAdapter, roots: DisposableStore): void {
    const { mayBelong, holdsOthers } = root;
    if (!mayBelong || !holdsOthers || roots !== this.roots || this.stopped) return;
    roots.add(
      this.parts.tail.watch({
        path: root.path,
        depth: root.depth,
        matches: root.matches,
        enters: (folder) => holdsOthers(folder) && !mayBelong(folder, this.places.all()),
        // A transcript that ended there is no history of the open folders: its head need not be read to know that.
        onFile: (candidate) => void this.identify(candidate, adapter, { isElsewhere: true }),
        onLimit: (held) => this.host.tooManyFolders(root.path, adapter, held),
      }),
    );
  }

  /** Returns the options for the workspace: generic transcripts (docs/transcript.md) and those of some other agents may be anywhere in it. */
  private workspaceRoot(folder: string): RootOptions {
    const endings = this.parts.adapters.flatMap((adapter) => adapter.workspaceFiles ?? []);
    return {
      path: folder,
      depth: WALKED_DEPTH,
      matches: (path) => endings.some((ending) => path.endsWith(ending)),
      enters: (path) => !/(^|\/)(node_modules|\.git|\.unstuck)$/.test(path),
      onFile: (candidate) => void this.identify(candidate, null),
      onLimit: (held) => this.host.tooManyFolders(folder, null, held),
    };
  }

  /** Finds out which session a transcript belongs to, and whether that session belongs to an open folder. */
  private async identify(
    candidate: Candidate,
    known: AgentAdapter | null,
    { tries = 0, opensOld = false, isElsewhere = false, failed }: Looking = {},
  ): Promise<void> {
    const { path, modifiedAt } = candidate;
    if (this.host.isOpen(path) || this.stopped) return;
    const age = this.parts.clock.now() - modifiedAt;
    if (!opensOld && this.isOld(modifiedAt) && !this.isDatabase(path, known) && !this.mayLive(path, known)) {
      if (!isElsewhere && age <= (this.settings.historyMs ?? Number.POSITIVE_INFINITY))
        this.older.set(path, { candidate, adapter: known });
      return;
    }
    this.older.delete(path);
    const other = this.others.get(path);
    // The first lines of a new transcript need not say where its agent works: those that did not are read again.
    if (other?.cwd !== undefined) {
      this.others.set(path, { ...other, modifiedAt });
      return;
    }
    await (this.heads.update(candidate) ??
      this.heads.look(candidate, known !== null, {
        look: (newest, head) => this.look(newest, known, head, tries),
        failed: (newest, error) => {
          failed?.();
          this.unreadable(newest, known, errorCode(error) ?? '');
        },
        changed: (newest) => void this.identify(newest, known),
      }));
  }

  /** True for a database. Its file time is that of the last checkpoint: what happens in it is written next to it. */
  private isDatabase(path: string, known: AgentAdapter | null): boolean {
    return (known ?? this.ownerByName(path))?.unit === 'database';
  }

  private ownerByName(path: string): AgentAdapter | undefined {
    return this.parts.adapters.find(({ workspaceFiles }) => workspaceFiles?.some((ending) => path.endsWith(ending)));
  }

  private isOld(modifiedAt: number): boolean {
    return this.parts.clock.now() - modifiedAt > this.settings.maxAgeMs;
  }

  /** Looks at the head of a file, one adapter per step. */
  private *look(
    candidate: Candidate,
    known: AgentAdapter | null,
    head: string,
    tries: number,
  ): Generator<undefined, void> {
    const { path, modifiedAt, size } = candidate;
    const found = { path, modifiedAt, size, inFolder: known === null };
    if (this.host.isOpen(path) || this.stopped) return;
    this.host.readable(path);
    const adapter = known ?? (yield* recognising(this.parts.adapters, head, path));
    if (!adapter || this.settings.disabled.has(adapter.id)) return;
    if (known === null && adapter.writesTimes === false && this.rests(candidate)) return;
    const peek = adapter.unit === 'database' ? {} : adapter.peek(head, path, this.parts.readSmall);
    const { session, cwd = this.cwdOf(path) } = peek;
    const isMovedHere = peek.movedTo?.(this.settings.folders) === true && this.places.isNear(cwd);
    yield;
    if (this.host.isOpen(path) || this.stopped) return;
    // Its sessions are checked one by one, and the time of the file is that of the last checkpoint.
    if (adapter.unit === 'database') return this.host.found(found, adapter, head);
    const inWorkspace = this.places.has(dirname(path));
    if (!inWorkspace && !isMovedHere && (cwd === undefined || !this.places.has(cwd))) {
      this.others.set(path, { adapter, file: path, cwd, size, modifiedAt });
      // A file longer than its head will not say more there.
      if (cwd === undefined && tries < SOON_TRIES && size < HEAD_BYTES) {
        this.parts.clock.after(SOON_MS, () => void this.identify(candidate, known, { tries: tries + 1 }));
      }
      return;
    }
    this.others.delete(path);
    if (this.isOld(modifiedAt) && !(session && this.host.isAlive(session))) {
      this.earlier.set(path, { adapter, file: path, size, modifiedAt });
      return;
    }
    this.earlier.delete(path);
    this.host.found(found, adapter, head);
  }

  /** Reports an error, unless the path has disappeared meanwhile or is no file. */
  private unreadable(candidate: Candidate, known: AgentAdapter | null, code: string): void {
    const { path } = candidate;
    const adapter = known ?? this.ownerByName(path);
    if (!adapter || this.stopped) return;
    if (code === 'EACCES' || code === 'EPERM') this.host.unreadable(path, adapter, 'permission');
    if (!isOutOfDescriptors(code)) return;
    this.host.unreadable(path, adapter, 'descriptors');
    this.parts.clock.after(AGAIN_MS, () => void this.identify(candidate, known));
  }

  /**
   * Without timestamps a live transcript looks like one that a git checkout just created, so such a file is followed only when it changes.
   */
  private rests({ path, size, modifiedAt }: Candidate): boolean {
    const now = `${size} ${modifiedAt}`;
    const before = this.resting.get(path);
    this.resting.set(path, now);
    return before === undefined || before === now;
  }

  /** True if the session that the file is named after has a live process. */
  private mayLive(path: string, adapter: AgentAdapter | null): boolean {
    const session = adapter?.peek('', path).session;
    return session !== undefined && this.host.isAlive(session);
  }

  /** True if a session of a database is to be followed. The others are listed, or left to the history. */
  wants(head: SessionHead, adapter: AgentAdapter, file: string): boolean {
    const { session, cwd, modifiedAt } = head;
    const key = otherKey(file, session);
    const inWorkspace = this.places.has(dirname(file)) || (cwd !== undefined && this.places.has(cwd));
    if (!inWorkspace && !this.shown.has(key)) {
      this.others.set(key, { adapter, file, session, cwd, size: 0, modifiedAt });
      return false;
    }
    this.others.delete(key);
    const before = this.earlier.get(file);
    const sessions = new Set(before?.sessions);
    if (!this.isOld(modifiedAt) || this.host.isAlive(session)) {
      if (sessions.delete(session) && before) this.earlier.set(file, { ...before, sessions });
      return true;
    }
    if (!sessions.has(session)) {
      const newest = Math.max(before?.modifiedAt ?? 0, modifiedAt);
      this.earlier.set(file, { adapter, file, size: 0, modifiedAt: newest, sessions: sessions.add(session) });
    }
    return false;
  }

  /**
   * True if a followed session still belongs to an open folder, or was requested. A session that does not say where it works belongs too, unless its
   * file is in a folder that was closed.
   */
  belongs(file: string, session: string, cwd: string | undefined): boolean {
    if (this.shown.has(otherKey(file, session)) || this.shown.has(file)) return true;
    const places = [cwd, this.cwdOf(file)].filter((place) => place !== undefined);
    if ([...places, dirname(file)].some((place) => this.places.has(place))) return true;
    return places.length === 0 && !this.placesBefore.has(dirname(file));
  }

  private placesOf(): OpenFolders {
    return new OpenFolders(this.settings.folders, () => this.parts.clock.now());
  }
}

function otherKey(file: string, session: string | undefined): string {
  return session === undefined ? file : `${file}\n${session}`;
}
