/** The door of the package `unstuck`, for programs that run an agent loop of their own. docs/library.d.mts are its types. */
import { TaskLoop as Guard, type TaskLoopOptions } from '../../core/task-loop';

export { validateJsonResponse, validateToolCall } from '../../base/schema/validate';
export { StuckDetector } from './stuck-detector';

/** The task loop by the clock of this machine. */
export class TaskLoop extends Guard {
  constructor(options: Partial<TaskLoopOptions> = {}) {
    super({ now: Date.now, ...options });
  }
}
