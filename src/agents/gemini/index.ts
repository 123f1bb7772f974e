export { gemini, geminiDocument } from './adapter';
