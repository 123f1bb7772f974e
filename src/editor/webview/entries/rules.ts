import type { RulesIntent } from '../../panel-model';
import { connectHost } from '../host';
import { startRules } from '../rules/rules';

startRules(document.body, connectHost<RulesIntent>());
