import type { RulesIntent } from '../../panel';
import { connectHost } from '../host';
import { startRules } from './rules';

startRules(document.body, connectHost<RulesIntent>());
