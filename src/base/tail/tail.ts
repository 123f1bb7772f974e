import { basename, dirname } from 'node:path';
import type { Disposable } from '../util/disposable';
import { Emitter } from '../util/emitter';
import { Budget, Priority } from './pace/budget';
import { monotonicClock } from './pace/clock';
import { DatabaseReader } from './documents/database-reader';
import { Descriptors } from './descriptors';
import { DocumentReader } from './documents/document-reader';
import { systemFs } from './file-system';
import { type EntryChange, Folders } from './folders/folders';
import { HEAD_BYTES, Heads } from './heads';
import { ShrinkerPool } from './lines/framer';
import { Lanes } from './pace/lanes';
import { LineReader } from './lines/line-reader';
import type { ReaderParts } from './parts';
import { countLineFeeds, readHead } from './read-file';
import { DATABASE_LIMIT_BYTES, DOCUMENT_LIMIT_BYTES, SLICE_MS } from './read-whole';
import { FolderRoom, MOST_FOLDERS } from './folders/room';
import { Root } from './folders/root';
import { Sweep, type SweptReader } from './folders/sweep';
import type { OpenOptions, Reader, RootOptions, Tail, TailOptions, WatchFailure } from './types';

/** Limit of watches. Linux allows a user 8192 or more, but other programs need some too. */
const WATCH_LIMIT = 4096;

export function createTail(options: TailOptions): Tail {
  const { log, fs = systemFs, clock = monotonicClock, beat = clock } = options;
  const parts: ReaderParts = {
    fs,
    clock,
    log,
    budget: new Budget(clock, SLICE_MS),
    lanes: new Lanes(),
    shrinkers: new ShrinkerPool(),
    descriptors: new Descriptors(fs),
    documentLimit: options.documentLimit ?? DOCUMENT_LIMIT_BYTES,
    databaseLimit: options.databaseLimit ?? DATABASE_LIMIT_BYTES,
  };
  const { budget, lanes } = parts;
  const failed = new Emitter<WatchFailure | null>((error) => log.error(String(error)));
  const folders = new Folders(
    fs,
    clock,
    options.watchLimit ?? WATCH_LIMIT,
    (failure) => failed.fire(failure),
    () => sweep.update(),
  );
  const room = new FolderRoom(options.folderLimit ?? MOST_FOLDERS);
  const heads = new Heads(parts);
  const roots = new Set<Root>();
  const readers = new Set<Disposable>();
  const sweep = new Sweep(clock, beat, log, budget, folders, roots);
  /** Number of readers that follow each path. */
  const open = new Map<string, number>();

  const watch = (rootOptions: RootOptions): Disposable => {
    const root = new Root(rootOptions, { fs, clock, log, budget, folders, room, isOpen: (path) => open.has(path) });
    roots.add(root);
    sweep.update();
    return {
      dispose: () => {
        root.dispose();
        roots.delete(root);
        sweep.update();
      },
    };
  };

  const openFile = (path: string, fileOptions: OpenOptions): Reader => {
    const folder = dirname(path);
    const names = fileOptions.unit === 'database' ? [basename(path), `${basename(path)}-wal`] : [basename(path)];
    // Watch first, then read, so that no change between the two is missed.
    const changed = (kind: EntryChange): void => {
      swept.changed(kind !== 'unknown');
      if (kind !== 'change') reader.mayBeAnother?.();
      reader.poke();
    };
    const watches = names.map((name) => folders.watchEntry(folder, name, changed));
    const reader = newReader(path, fileOptions, parts);
    const swept = sweep.add(reader, folder);
    open.set(path, (open.get(path) ?? 0) + 1);
    const handle = new Handle(path, reader, () => {
      if (!readers.delete(handle)) return;
      for (const one of watches) one.dispose();
      swept.dispose();
      const left = (open.get(path) ?? 1) - 1;
      if (left > 0) open.set(path, left);
      else open.delete(path);
      reader.dispose();
    });
    readers.add(handle);
    return handle;
  };

  return {
    watch,
    open: openFile,
    readHead: (path, bytes = HEAD_BYTES) => lanes.run(Priority.live, (lane) => readHead(fs, budget, path, bytes, lane)),
    lookAtHead: (path, headOptions, look) => heads.look(path, headOptions, look),
    countLines: (path, offset) =>
      lanes.run(Priority.live, (lane) =>
        countLineFeeds(fs, budget, path, { lane, priority: Priority.live, from: 0, to: offset }),
      ),
    onDidFailWatching: failed.event,
    dispose: () => {
      for (const reader of readers) reader.dispose();
      for (const root of roots) root.dispose();
      roots.clear();
      heads.dispose();
      sweep.dispose();
      folders.dispose();
      failed.dispose();
    },
  };
}

/** The reader as its owner sees it, with its own `dispose`. */
class Handle implements Reader {
  constructor(
    readonly path: string,
    private readonly reader: Reader,
    readonly dispose: () => void,
  ) {}

  get generation(): number {
    return this.reader.generation;
  }

  get offset(): number {
    return this.reader.offset;
  }

  get seedOffset(): number {
    return this.reader.seedOffset;
  }

  readHistory(...args: Parameters<Reader['readHistory']>): Promise<'done' | 'replaced'> {
    return this.reader.readHistory(...args);
  }

  poke(): void {
    this.reader.poke();
  }

  reread(): void {
    this.reader.reread?.();
  }
}

function newReader(path: string, options: OpenOptions, parts: ReaderParts): Reader & SweptReader {
  switch (options.unit) {
    case 'line':
      return new LineReader(path, options, parts);
    case 'document':
      return new DocumentReader(path, options, parts);
    case 'database':
      return new DatabaseReader(path, options, parts);
  }
}
