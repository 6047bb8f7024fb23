import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { blame, History, HistoryError, makeTree } from '../src/index.ts';
import type { FileEntry } from '../src/index.ts';

type Files = Record<string, string | FileEntry>;
const info = (time: number, message = '') => ({ message, author: 'ann', time });
const put = (history: History, files: Files, time: number) => history.commit(makeTree(files), info(time));
const ids = (commits: readonly { id: string }[]) => commits.map((commit) => commit.id);
const long = 'a\nb\nc\nd\n';

/** c1 - c2 - c4 on main, c1 - c3 on topic. */
function forked(): History {
  const history = new History();
  put(history, { f: long }, 10);
  history.branch('topic');
  put(history, { f: long + 'main\n' }, 20);
  history.switchTo('topic');
  put(history, { f: long, g: 'topic\n' }, 30);
  history.switchTo('main');
  put(history, { f: 'A\n' + long + 'main\n' }, 40);
  return history;
}

describe('commits', () => {
  test('have ids', () => {
    const history = new History();
    put(history, { f: '1\n' }, 1);
    assert.equal(put(history, { f: '2\n' }, 2), 'c2');
  });

  test('know what they came from', () => {
    assert.deepEqual(forked().get('topic').parents, ['c1']);
  });

  test('keep their own tree', () => {
    const history = new History();
    const tree = new Map(makeTree({ f: '1\n' }));
    history.commit(tree, info(1));
    tree.clear();
    assert.equal(history.get('c1').tree.get('f')?.text, '1\n');
  });

  test('must change something', () => {
    const history = forked();
    assert.throws(() => history.commit(history.get('HEAD').tree, info(50)), HistoryError);
  });

  test('another mode is something', () => {
    const history = new History();
    put(history, { f: '1\n' }, 1);
    assert.equal(put(history, { f: { text: '1\n', mode: '100755' } }, 2), 'c2');
  });

  test('the first branch has a name', () => {
    assert.equal(new History('trunk').current, 'trunk');
  });

  test('branches are listed in order', () => {
    const history = forked();
    history.branch('a/fix-1', 'main~1');
    assert.deepEqual(history.branches(), ['a/fix-1', 'main', 'topic']);
  });

  test('a new branch does not become the current one', () => {
    const history = forked();
    history.branch('next');
    assert.equal(history.current, 'main');
  });
});

describe('revisions', () => {
  test('HEAD is the current branch', () => {
    assert.equal(forked().get('HEAD').id, 'c4');
  });

  test('an id', () => {
    assert.equal(forked().get('c3').time, 30);
  });

  test('steps back', () => {
    assert.equal(forked().get('main~2').id, 'c1');
  });

  test('a tilde alone is one step', () => {
    assert.equal(forked().get('HEAD~').id, 'c2');
  });

  test('the second parent, and on from there', () => {
    const history = forked();
    history.merge('topic', info(50));
    assert.equal(history.get('HEAD^2~1').id, 'c1');
  });

  test('the first parent', () => {
    const history = forked();
    history.merge('topic', info(50));
    assert.equal(history.get('HEAD^').id, 'c4');
  });

  test('too far back', () => {
    assert.throws(() => forked().get('main~3'), { name: 'HistoryError', message: 'no commit main~3' });
  });

  test('unknown', () => {
    assert.throws(() => forked().get('nowhere'), HistoryError);
  });

  test('an unknown branch', () => {
    assert.throws(() => forked().switchTo('nowhere'), HistoryError);
  });

  test('a branch that is there already', () => {
    assert.throws(() => forked().branch('topic'), HistoryError);
  });

  test('a branch named like a commit', () => {
    assert.throws(() => forked().branch('c12'), { message: 'not a name for a branch: c12' });
  });

  test('a branch with a tilde', () => {
    assert.throws(() => new History('a~1'), HistoryError);
  });
});

describe('ancestors', () => {
  test('the common one', () => {
    assert.deepEqual(forked().mergeBases('main', 'topic'), ['c1']);
  });

  test('of a commit and its ancestor', () => {
    assert.deepEqual(forked().mergeBases('c4', 'c2'), ['c2']);
  });

  test('several, the newest first', () => {
    const history = forked();
    history.branch('other', 'main');
    history.merge('topic', info(50));
    history.switchTo('other');
    history.commit(makeTree({ x: '1\n' }), info(60), ['c3', 'c4']);
    assert.deepEqual(history.mergeBases('main', 'other'), ['c4', 'c3']);
  });

  test('a commit is its own', () => {
    assert.equal(forked().isAncestor('c4', 'main'), true);
  });

  test('a commit on another branch is none', () => {
    assert.equal(forked().isAncestor('topic', 'main'), false);
  });
});

describe('the log', () => {
  test('of a branch', () => {
    assert.deepEqual(ids(forked().log()), ['c4', 'c2', 'c1']);
  });

  test('of merged branches by time', () => {
    const history = forked();
    history.merge('topic', info(50));
    assert.deepEqual(ids(history.log()), ['c5', 'c4', 'c3', 'c2', 'c1']);
  });

  test('children stand first, whatever the clocks say', () => {
    const history = new History();
    put(history, { f: '1\n' }, 99);
    put(history, { f: '2\n' }, 5);
    assert.deepEqual(ids(history.log()), ['c2', 'c1']);
  });

  /** c2 and c3 came from c1, whose clock was ahead; c4 merges them. */
  const skewed = () => {
    const history = new History();
    put(history, { f: '1\n' }, 50);
    history.branch('b');
    put(history, { f: '1\n', g: '2\n' }, 20);
    history.switchTo('b');
    put(history, { f: '1\n', h: '3\n' }, 30);
    history.switchTo('main');
    history.merge('b', info(60));
    return history;
  };

  test('a commit stands after all that came from it', () => {
    assert.deepEqual(ids(skewed().log()), ['c4', 'c3', 'c2', 'c1']);
  });

  test('the first commit is last, whatever the clocks say', () => {
    assert.deepEqual(ids(skewed().log('HEAD', { limit: 3 })), ['c4', 'c3', 'c2']);
  });

  test('of equal times the last made first', () => {
    const history = new History();
    put(history, { f: '1\n' }, 7);
    history.branch('b');
    put(history, { f: '2\n' }, 7);
    history.switchTo('b');
    put(history, { f: '1\n', g: '3\n' }, 7);
    history.merge('main', info(7));
    assert.deepEqual(ids(history.log()), ['c4', 'c3', 'c2', 'c1']);
  });

  test('without what another revision has', () => {
    assert.deepEqual(ids(forked().log('topic', { since: 'main' })), ['c3']);
  });

  test('no more than wanted', () => {
    assert.deepEqual(ids(forked().log('main', { limit: 2 })), ['c4', 'c2']);
  });

  test('of one file', () => {
    const history = forked();
    put(history, { f: 'A\n' + long + 'main\n', h: '1\n' }, 50);
    assert.deepEqual(ids(history.log('HEAD', { path: 'f' })), ['c4', 'c2', 'c1']);
  });

  test('a file that came later', () => {
    assert.deepEqual(ids(forked().log('topic', { path: 'g' })), ['c3']);
  });

  test('the commit that deleted the file', () => {
    const history = new History();
    put(history, { f: '1\n', g: '1\n' }, 1);
    put(history, { g: '1\n' }, 2);
    assert.deepEqual(ids(history.log('HEAD', { path: 'f' })), ['c2', 'c1']);
  });

  test('a merge that took a file from one side is not in it', () => {
    const history = forked();
    history.merge('topic', info(50));
    assert.deepEqual(ids(history.log('HEAD', { path: 'g' })), ['c3']);
  });

  test('nor is a merge that took it from the other side', () => {
    const history = forked();
    history.switchTo('topic');
    history.merge('main', info(50));
    assert.deepEqual(ids(history.log('topic', { path: 'g' })), ['c3']);
  });

  test('a merge that changed the file is in it', () => {
    const history = forked();
    history.switchTo('topic');
    put(history, { f: 'a\nb\nC\nd\n', g: 'topic\n' }, 45);
    history.switchTo('main');
    history.merge('topic', info(50));
    assert.deepEqual(ids(history.log('HEAD', { path: 'f' })), ['c6', 'c5', 'c4', 'c2', 'c1']);
  });

  const renamed = () => {
    const history = new History();
    put(history, { old: long }, 1);
    put(history, { old: long + 'e\n' }, 2);
    put(history, { now: long + 'e\n' }, 3);
    put(history, { now: long + 'e\nf\n' }, 4);
    return history;
  };

  test('a renamed file', () => {
    assert.deepEqual(ids(renamed().log('HEAD', { path: 'now' })), ['c4', 'c3']);
  });

  test('a renamed file under its old name', () => {
    assert.deepEqual(ids(renamed().log('HEAD', { path: 'now', follow: true })), ['c4', 'c3', 'c2', 'c1']);
  });

  test('the limit counts the commits that are shown', () => {
    const history = forked();
    put(history, { f: 'A\n' + long + 'main\n', h: '1\n' }, 50);
    assert.deepEqual(ids(history.log('HEAD', { path: 'f', limit: 1 })), ['c4']);
  });
});

describe('a limited log of a file', () => {
  test('goes on until there are enough', () => {
    const history = new History();
    put(history, { f: '1\n' }, 1);
    put(history, { f: '1\n', g: '1\n' }, 2);
    put(history, { f: '2\n', g: '1\n' }, 3);
    put(history, { f: '2\n', g: '2\n' }, 4);
    assert.deepEqual(ids(history.log('HEAD', { path: 'f', limit: 2 })), ['c3', 'c1']);
  });
});

describe('merging branches', () => {
  test('makes a commit with two parents', () => {
    const history = forked();
    history.merge('topic', info(50));
    assert.deepEqual(history.get('main').parents, ['c4', 'c3']);
  });

  test('has the files of both', () => {
    const history = forked();
    history.merge('topic', info(50));
    assert.deepEqual([...history.get('main').tree.keys()], ['f', 'g']);
  });

  test('says what it did', () => {
    assert.deepEqual(forked().merge('topic', info(50)), { kind: 'merged', head: 'c5' });
  });

  test('nothing to merge', () => {
    assert.deepEqual(forked().merge('c2', info(50)), { kind: 'up-to-date', head: 'c4' });
  });

  test('only forward', () => {
    const history = forked();
    history.branch('behind', 'c1');
    history.switchTo('behind');
    assert.deepEqual(history.merge('main', info(50)), { kind: 'fast-forward', head: 'c4' });
  });

  test('moves the branch forward', () => {
    const history = forked();
    history.branch('behind', 'c1');
    history.switchTo('behind');
    history.merge('main', info(50));
    assert.equal(history.get('behind').id, 'c4');
  });

  const clash = () => {
    const history = forked();
    history.switchTo('topic');
    put(history, { f: 'Z\n' + long }, 60);
    history.switchTo('main');
    return { history, outcome: history.merge('topic', info(70)) };
  };

  test('conflicts are named', () => {
    const { outcome } = clash();
    assert.deepEqual(outcome.kind === 'conflicts' ? outcome.conflicts : [], [
      { kind: 'content', path: 'f' },
    ]);
  });

  test('conflicts leave the branch where it was', () => {
    assert.equal(clash().history.get('main').id, 'c4');
  });

  test('conflicts are labelled with the branches', () => {
    const { outcome } = clash();
    assert.equal(
      outcome.kind === 'conflicts' ? outcome.tree.get('f')?.text : '',
      '<<<<<<< main\nA\n=======\nZ\n>>>>>>> topic\na\nb\nc\nd\nmain\n',
    );
  });

  test('a commit settles them', () => {
    const { history, outcome } = clash();
    const parents = outcome.kind === 'conflicts' ? outcome.parents : [];
    const id = history.commit(makeTree({ f: long }), info(80), parents);
    assert.deepEqual(history.get(id).parents, ['c4', 'c5']);
  });

  test('without a common ancestor', () => {
    const history = forked();
    history.commit(makeTree({ own: '1\n' }), info(50), []);
    history.merge('topic', info(60));
    assert.deepEqual([...history.get('HEAD').tree.keys()], ['f', 'g', 'own']);
  });
});

describe('blame', () => {
  const said = (history: History, revision: string, path: string) =>
    blame(history, revision, path).map((line) => `${line.commit} ${line.path}:${line.line} ${line.text.trim()}`);

  test('names the commit of each line', () => {
    assert.deepEqual(said(forked(), 'main', 'f'), [
      'c4 f:1 A',
      'c1 f:1 a',
      'c1 f:2 b',
      'c1 f:3 c',
      'c1 f:4 d',
      'c2 f:5 main',
    ]);
  });

  test('of an older state', () => {
    assert.equal(blame(forked(), 'main~1', 'f').length, 5);
  });

  test('through a merge', () => {
    const history = forked();
    history.switchTo('topic');
    put(history, { f: 'a\nb\nC\nd\n' }, 45);
    history.switchTo('main');
    history.merge('topic', info(50));
    assert.deepEqual(said(history, 'HEAD', 'f'), [
      'c4 f:1 A',
      'c1 f:1 a',
      'c1 f:2 b',
      'c5 f:3 C',
      'c1 f:4 d',
      'c2 f:5 main',
    ]);
  });

  test('through a rename', () => {
    const history = new History();
    put(history, { old: long }, 1);
    put(history, { now: long + 'e\n' }, 2);
    assert.deepEqual(said(history, 'HEAD', 'now').slice(3), ['c1 old:4 d', 'c2 now:5 e']);
  });

  test('of parents with the same line the first counts', () => {
    const history = forked();
    history.switchTo('topic');
    put(history, { f: long + 'main\n', g: 'topic\n' }, 45);
    history.switchTo('main');
    history.merge('topic', info(50));
    assert.equal(blame(history, 'HEAD', 'f')[5].commit, 'c2');
  });

  test('the second parent counts for what the first does not have', () => {
    const history = forked();
    history.switchTo('topic');
    put(history, { f: long + 'main\nmore\n', g: 'topic\n' }, 45);
    history.switchTo('main');
    history.commit(makeTree({ f: 'A\n' + long + 'main\nmore\n', g: 'topic\n' }), info(50), ['c4', 'c5']);
    assert.deepEqual(said(history, 'HEAD', 'f').slice(5), ['c2 f:5 main', 'c5 f:6 more']);
  });

  test('can ignore blanks', () => {
    const history = new History();
    put(history, { f: 'a\nb\n' }, 1);
    put(history, { f: '  a\nc\n' }, 2);
    assert.deepEqual(
      blame(history, 'HEAD', 'f', { whitespace: 'all' }).map((line) => `${line.commit} ${line.text}`),
      ['c1   a\n', 'c2 c\n'],
    );
  });

  test('of a file that is not there', () => {
    assert.throws(() => blame(forked(), 'main', 'nothing'), HistoryError);
  });
});
