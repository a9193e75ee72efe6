/** Tests of names that depend on expressions of templates, as they are shown. */
import assert from 'node:assert/strict';
import { shownName } from '../../server/src/manifests/shown-name.ts';

const shown = (text: string) => shownName({ text, value: { unknown: text } });

describe('the name of an object that a template writes', () => {
  it('is shown without the functions that limit its length', () => {
    const limited = '{{ trimSuffix "-" (trunc 63 ("( .Release.Name )-ledger")) }}';
    assert.equal(shown(limited), '{{ .Release.Name }}-ledger');
    assert.equal(shown(`${limited}-api`), '{{ .Release.Name }}-ledger-api');
    assert.equal(
      shown('{{ trunc 63 ("( .Release.Name )-( .Chart.Name )") }}'),
      '{{ .Release.Name }}-{{ .Chart.Name }}',
    );
  });

  it('is shown without hashes and without the texts of a condition', () => {
    assert.equal(shown('{{ include "web.fullname" text#1oenh5a1kl9l }}'), '{{ include "web.fullname" . }}');
    const decided = '{{ (if contains "web" .Release.Name): "( .Release.Name )" else: "( .Release.Name )-web" }}-db';
    assert.equal(shown(decided), '{{ … }}-db');
  });

  it('is unchanged if another function decides, and has at most 40 characters of an expression', () => {
    assert.equal(shown('{{ upper ("( .Release.Name )-a") }}'), '{{ upper ("( .Release.Name )-a") }}');
    assert.equal(shown(`{{ .Values.${'x'.repeat(50)} }}`).length, 41);
  });
});
