import type { FuzzTarget } from '../target';
import { crushTarget, databaseTarget } from './databases';
import { decoderTargets, transcripts } from './decoders';
import { detectorTarget } from './detectors';
import { hook, inbox } from './messages';
import { intents, settingsReader, validators } from './settings';
import { journal, snapshotTarget } from './store';
import { tailTarget } from './tail';
import { checks, texts } from './texts';

export interface Targets {
  readonly all: readonly FuzzTarget[];
  readonly dispose: () => void;
}

/** @param more further folders with transcripts, relative to the project's folder */
export async function targets(more: readonly string[] = []): Promise<Targets> {
  const files = transcripts(more);
  const read = files.map(({ text }) => text);
  const snapshot = await snapshotTarget();
  const readers = [tailTarget(read), detectorTarget(read), inbox, hook, intents, settingsReader, validators];
  return {
    all: [
      ...decoderTargets(files),
      await databaseTarget(),
      await crushTarget(),
      ...readers,
      checks,
      texts,
      journal,
      snapshot,
    ],
    dispose: () => snapshot.dispose(),
  };
}
