import { Priority } from './budget';

/** Bytes per read: one system call costs as much as copying 256 KB. The buffer grows only as far as it is filled. */
const CHUNK_BYTES = 1024 * 1024;
const SMALL_BYTES = 1024;
/** Limits of running jobs: of all, of those that are not live, and of idle ones. */
const PLACES: readonly number[] = [6, 3, 1];

/** Resources of a job while it runs. */
export interface Lane {
  readonly chunk: Buffer;
  /** A second, small buffer for checks that accompany a read. */
  readonly small: Buffer;
}

export function newLane(): Lane {
  return { chunk: Buffer.allocUnsafeSlow(CHUNK_BYTES), small: Buffer.allocUnsafeSlow(SMALL_BYTES) };
}

export interface Job {
  readonly priority: Priority;
  /** Among jobs of the same priority the lowest goes first; equal ones run in the order of their arrival. */
  readonly order: number;
  /** Runs the job; never rejects. */
  run(lane: Lane): Promise<void>;
}

/**
 * Lets a few jobs read at a time: enough to hide disk latency, few enough to keep buffers small and priorities in force (live files before
 * first reads, first reads before history).
 */
export class Lanes {
  private readonly waiting: Job[][] = [[], [], []];
  private readonly running = [0, 0, 0];
  private readonly free: Lane[] = [];

  add(job: Job): void {
    const queue = this.waiting[job.priority] as Job[];
    let at = queue.length;
    while (at > 0 && (queue[at - 1] as Job).order > job.order) at--;
    queue.splice(at, 0, job);
    this.next();
  }

  /** Runs the job when a slot is free; settles as the job does. */
  run<T>(priority: Priority, work: (lane: Lane) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.add({ priority, order: Number.NEGATIVE_INFINITY, run: (lane) => work(lane).then(resolve, reject) });
    });
  }

  /** Removes a job that has not started. */
  remove(job: Job): void {
    const queue = this.waiting[job.priority] as Job[];
    const at = queue.indexOf(job);
    if (at !== -1) queue.splice(at, 1);
  }

  private next(): void {
    for (const priority of [Priority.live, Priority.seed, Priority.idle]) {
      const queue = this.waiting[priority] as Job[];
      while (queue.length > 0 && this.hasPlace(priority)) this.start(queue.shift() as Job);
    }
  }

  private hasPlace(priority: Priority): boolean {
    const all = (this.running[0] as number) + (this.running[1] as number) + (this.running[2] as number);
    const alike =
      priority === Priority.live
        ? all
        : priority === Priority.seed
          ? all - (this.running[0] as number)
          : (this.running[2] as number);
    return all < (PLACES[0] as number) && alike < (PLACES[priority] as number);
  }

  private start(job: Job): void {
    const lane = this.free.pop() ?? newLane();
    this.running[job.priority] = (this.running[job.priority] as number) + 1;
    void job.run(lane).finally(() => {
      this.running[job.priority] = (this.running[job.priority] as number) - 1;
      this.free.push(lane);
      this.next();
    });
  }
}
