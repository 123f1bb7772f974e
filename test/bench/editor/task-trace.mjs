/**
 * Reads from the browser's own trace how much of each long task the processor worked on it. On a machine that is shared, a task of some milliseconds
 * may last for hundreds.
 */

/** Categories of the trace: tasks of each thread, the names of the threads, and the marks of pages, used to compare their clocks. */
const CATEGORIES = ['toplevel', 'blink.user_timing', '__metadata'];
const MARK = 'task-trace';

/**
 * @typedef {{ name: string, pid: number, tid: number, ts: number, dur?: number, tdur?: number, args: any }} TraceEvent
 * @typedef {{ at: number, ms: number }} LongTask at: milliseconds since the epoch
 */

/** Starts to trace. @param {import('playwright-core').Frame} frame whose clock the trace is compared with */
export async function traceTasks(frame) {
  const browser = frame.page().context().browser();
  if (!browser) throw new Error('The page has no browser of its own.');
  const session = await browser.newBrowserCDPSession();
  const events = /** @type {TraceEvent[]} */ ([]);
  session.on('Tracing.dataCollected', ({ value }) => events.push(.../** @type {any[]} */ (value)));
  await session.send('Tracing.start', {
    traceConfig: { includedCategories: CATEGORIES, excludedCategories: ['*'] },
    transferMode: 'ReportEvents',
  });
  const markedAt = await frame.evaluate((name) => performance.timeOrigin + performance.mark(name).startTime, MARK);
  return {
    /** Ends the trace. @param {readonly LongTask[]} tasks of the page @returns {Promise<number[]>} milliseconds of processor time of each */
    async end(tasks) {
      const complete = new Promise((done) => session.once('Tracing.tracingComplete', done));
      await session.send('Tracing.end');
      await complete;
      await session.detach();
      const mark = events.find(({ name }) => name === MARK);
      if (!mark) throw new Error('The trace does not have the mark of the page.');
      const own = events.filter(
        ({ pid, tid, dur, name }) => pid === mark.pid && tid === mark.tid && dur && name.endsWith('RunTask'),
      );
      return tasks.map(({ at, ms }) => {
        const begin = mark.ts + (at - markedAt) * 1_000;
        const shared = ({ ts, dur = 0 }) => Math.min(ts + dur, begin + ms * 1_000) - Math.max(ts, begin);
        const task = own.reduce((best, one) => (shared(one) > shared(best) ? one : best), own[0] ?? mark);
        // A task that is not in the trace counts in full.
        return shared(task) > 0 && task.tdur !== undefined ? task.tdur / 1_000 : ms;
      });
    },
  };
}
