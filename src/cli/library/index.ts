/** Entry of the package `unstuck`, for programs that run an agent loop of their own. Its types are in docs/library.d.mts. */
import { TaskLoop as Guard, type TaskLoopOptions } from '../../core/task-loop';

export { validateJsonResponse, validateToolCall } from '../../base/schema/validate';
export { StuckDetector } from './stuck-detector';

/** The task loop on this machine's clock. */
export class TaskLoop extends Guard {
  constructor(options: Partial<TaskLoopOptions> = {}) {
    super({ now: Date.now, ...options });
  }
}
