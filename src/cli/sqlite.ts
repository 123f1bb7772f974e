import { join } from 'node:path';
import { createThreadedReader } from '../agents/sqlite/threaded';

/** Reads databases of agents by the worker that lies beside the bundle. */
export const sqlite = createThreadedReader(join(__dirname, 'sqlite-worker.js'));
