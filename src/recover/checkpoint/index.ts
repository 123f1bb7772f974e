export type { CheckpointFiles } from './failure';
export { listCheckpoints } from './list';
export { restoreCheckpoint } from './restore';
export { saveCheckpoint, type SavedCheckpoint } from './save';
