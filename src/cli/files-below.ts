import type { TranscriptRoot } from '../agents/transcripts';
import type { Candidate, Tail } from '../base/tail';

/** Lists the transcripts that an agent keeps below one of its folders. */
export function filesBelow(tail: Tail, root: TranscriptRoot): Promise<Candidate[]> {
  return new Promise((done) => {
    const files: Candidate[] = [];
    const watch = tail.watch({
      path: root.path,
      depth: root.depth,
      matches: root.matches,
      ...(root.enters && { enters: root.enters }),
      onFile: (candidate) => {
        files.push(candidate);
        return 'never';
      },
      onWalked: () => {
        queueMicrotask(() => watch.dispose());
        done(files);
      },
    });
  });
}
