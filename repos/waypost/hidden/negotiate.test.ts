import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  chooseCharset, chooseEncoding, chooseLanguage, chooseMediaType, negotiate, parsePreferences,
} from '../src/negotiate.ts'

describe('preferences', () => {
  test('weights are in thousandths', () => {
    assert.deepEqual(parsePreferences('a;q=0.5, b, c;q=0').map(({ weight }) => weight), [500, 1000, 0])
  })
  test('broken weights drop the member', () => {
    assert.deepEqual(parsePreferences('a;q=1.5, b;q=0.1234, c;q=x, d;q=1.000').map(({ value }) => value), ['d'])
  })
  test('parameters after the weight are no part of it', () => {
    assert.deepEqual(parsePreferences('a/b;level=1;q=0.3;ext=1'), [{ value: 'a/b', params: [['level', '1']], weight: 300 }])
  })
})

describe('media types', () => {
  const offers = ['text/html', 'application/json', 'text/plain']
  test('no header takes the first offer', () => {
    assert.equal(chooseMediaType(undefined, offers), 'text/html')
  })
  test('a blank header takes the first offer', () => {
    assert.equal(chooseMediaType('  ', ['text/plain', 'text/html']), 'text/plain')
  })
  test('the heaviest wins', () => {
    assert.equal(chooseMediaType('text/html;q=0.5, application/json;q=0.9', offers), 'application/json')
  })
  test('the earlier offer wins a tie', () => {
    assert.equal(chooseMediaType('text/plain, application/json', offers), 'application/json')
  })
  test('the specific range decides, wherever it stands', () => {
    assert.equal(chooseMediaType('text/html;q=0.1, text/*;q=0.9, */*;q=0.5', offers), 'text/plain')
  })
  test('a range that comes later decides as well', () => {
    assert.equal(chooseMediaType('*/*, text/*;q=0.4, text/html;q=0.2', ['text/html', 'text/plain']), 'text/plain')
  })
  test('weight zero excludes', () => {
    assert.equal(chooseMediaType('*/*, text/html;q=0', offers), 'application/json')
  })
  test('nothing acceptable', () => {
    assert.equal(chooseMediaType('image/png', offers) ?? 'none', 'none')
  })
  test('parameters must be in the offer', () => {
    assert.equal(chooseMediaType('text/html;level=2, text/plain;q=0.1', offers), 'text/plain')
  })
  test('values of parameters compare without case', () => {
    assert.equal(chooseMediaType('text/html;charset=UTF-8', ['a/b', 'text/html; charset=utf-8']), 'text/html; charset=utf-8')
  })
  test('more parameters are more specific', () => {
    assert.equal(chooseMediaType('text/html;level=1;q=0.2, text/html;q=0.7', ['text/html;level=1', 'text/html']), 'text/html')
  })
  test('a type is written in any case', () => {
    assert.equal(chooseMediaType('Application/JSON', offers), 'application/json')
  })
})

describe('languages', () => {
  test('a range covers its regions', () => {
    assert.equal(chooseLanguage('en', ['de', 'en-GB']), 'en-GB')
  })
  test('a prefix of letters is no cover', () => {
    assert.equal(chooseLanguage('e, *;q=0.1', ['en', 'e-x']), 'e-x')
  })
  test('the longer range decides', () => {
    assert.equal(chooseLanguage('en, en-US;q=0.2', ['en-US', 'en-GB']), 'en-GB')
  })
  test('a shorter offer serves if there is nothing nearer', () => {
    assert.equal(chooseLanguage('de-AT, fr-CA;q=0.5', ['fr', 'de']), 'de')
  })
  test('a covered offer goes before a shorter one', () => {
    assert.equal(chooseLanguage('de-AT, fr;q=0.1', ['de', 'fr']), 'fr')
  })
  test('a shorter offer that is excluded', () => {
    assert.equal(chooseLanguage('de-AT, de;q=0', ['de', 'fr']) ?? 'none', 'none')
  })
  test('a shorter offer that is excluded with all others', () => {
    assert.equal(chooseLanguage('de-AT, *;q=0', ['de']) ?? 'none', 'none')
  })
  test('a range of weight zero asks for nothing', () => {
    assert.equal(chooseLanguage('de-AT;q=0, fr-CA;q=0.4', ['de', 'fr']), 'fr')
  })
  test('anything else', () => {
    assert.equal(chooseLanguage('de;q=0.2, *;q=0.7', ['de', 'fr']), 'fr')
  })
})

describe('codings', () => {
  test('no header means identity', () => {
    assert.equal(chooseEncoding(undefined, ['gzip']), 'identity')
  })
  test('what was asked for goes before identity', () => {
    assert.equal(chooseEncoding('gzip;q=0.1', ['br', 'gzip']), 'gzip')
  })
  test('a named identity has its weight', () => {
    assert.equal(chooseEncoding('gzip;q=0.1, identity;q=0.5', ['gzip']), 'identity')
  })
  test('nothing offered was asked for', () => {
    assert.equal(chooseEncoding('br', ['gzip']), 'identity')
  })
  test('x-gzip is gzip', () => {
    assert.equal(chooseEncoding('X-GZIP', ['gzip']), 'gzip')
  })
  test('a star excludes identity', () => {
    assert.equal(chooseEncoding('br, *;q=0', ['gzip']) ?? 'none', 'none')
  })
  test('a named identity stands against the star', () => {
    assert.equal(chooseEncoding('identity, *;q=0', ['gzip']), 'identity')
  })
  test('a star asks for any coding', () => {
    assert.equal(chooseEncoding('*;q=0.3', ['br', 'gzip']), 'br')
  })
})

describe('charsets', () => {
  test('compare without case', () => {
    assert.equal(chooseCharset('UTF-8;q=0.5, iso-8859-1;q=0.3', ['iso-8859-1', 'utf-8']), 'utf-8')
  })
  test('a star', () => {
    assert.equal(chooseCharset('utf-8;q=0, *', ['utf-8', 'iso-8859-1']), 'iso-8859-1')
  })
})

describe('variants', () => {
  const variants = [
    { media: 'text/html', language: 'en', id: 1 },
    { media: 'text/html', language: 'de', id: 2 },
    { media: 'application/json', id: 3 },
  ]
  test('the product decides', () => {
    assert.deepEqual(
      negotiate([['Accept', 'text/html;q=0.8, application/json;q=0.5'], ['Accept-Language', 'de, en;q=0.7']], variants),
      { kind: 'chosen', variant: { media: 'text/html', language: 'de', id: 2 }, vary: ['Accept', 'Accept-Language'] },
    )
  })
  test('a poor language loses against another type', () => {
    const found = negotiate([['Accept', 'text/html;q=0.8, */*;q=0.5'], ['Accept-Language', 'de;q=0.2']], variants)
    assert.equal(found.kind === 'chosen' ? found.variant.id : 0, 3)
  })
  test('the earlier variant wins a tie', () => {
    const found = negotiate([], variants)
    assert.equal(found.kind === 'chosen' ? found.variant.id : 0, 1)
  })
  test('what does not differ is not in vary', () => {
    assert.deepEqual(negotiate([], [{ media: 'a/b', encoding: 'br' }, { media: 'a/b', encoding: 'identity' }]), {
      kind: 'chosen', variant: { media: 'a/b', encoding: 'identity' }, vary: ['Accept-Encoding'],
    })
  })
  test('none is acceptable', () => {
    assert.deepEqual(negotiate([['Accept', 'image/png']], [{ media: 'a/b' }, { media: 'a/c' }]), { kind: 'none', vary: ['Accept'] })
  })
  test('charsets count too', () => {
    assert.deepEqual(negotiate([['Accept-Charset', 'utf-16']], [{ charset: 'utf-8' }, { charset: 'utf-16' }]), {
      kind: 'chosen', variant: { charset: 'utf-16' }, vary: ['Accept-Charset'],
    })
  })
})
