export type { CheckpointFailure, CheckpointFiles } from './failure';
export { type Checkpoint, listCheckpoints } from './list';
export { restoreCheckpoint, type RestoredCheckpoint } from './restore';
export { saveCheckpoint, type SavedCheckpoint } from './save';
