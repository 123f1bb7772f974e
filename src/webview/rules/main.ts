import type { RulesIntent } from '../../panel';
import { connectHost } from '../host';
import { speakAsPage } from '../language';
import { startRules } from './rules';

speakAsPage(document);
startRules(document.body, connectHost<RulesIntent>());
