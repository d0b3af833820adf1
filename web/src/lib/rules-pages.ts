// The rules of the games: the pages of docs/rules, which rules-plugin.ts turns into modules. Loaded on demand.

import type { Language } from '../i18n';
import type { RulesPage } from './rules-page';

const pages = import.meta.glob<RulesPage>('../../../docs/rules/*.md');

/** The rules of a game in a language. */
export async function rulesPage(kind: string, language: Language): Promise<RulesPage> {
  const load = pages[`../../../docs/rules/${kind}${language === 'en' ? '' : `.${language}`}.md`];
  if (!load) throw new Error(`no rules of ${kind} in ${language}`);
  return load();
}
