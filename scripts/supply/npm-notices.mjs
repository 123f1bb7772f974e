#!/usr/bin/env node
/** Writes the licences of the third-party work in the package for npm, before npm packs it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../bundles.mjs';
import { noticesOf } from '../generate/third-party-notices.mjs';

writeFileSync(join(projectRoot, 'dist/library/THIRD_PARTY_NOTICES.txt'), await noticesOf('npm'));
