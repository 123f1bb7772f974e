export type { CheckpointFiles, FoundEntry } from './files';
export { listCheckpoints } from './list';
export type { OnProgress } from './meter';
export { restoreCheckpoint } from './restore';
export { saveCheckpoint, type SavedCheckpoint } from './save';
