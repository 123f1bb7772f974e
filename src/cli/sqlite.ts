import { join } from 'node:path';
import { createThreadedReader } from '../agents/sqlite/threaded';

/** Reads agents' databases with the worker next to the bundle. */
export const sqlite = createThreadedReader(join(__dirname, 'sqlite-worker.js'));
