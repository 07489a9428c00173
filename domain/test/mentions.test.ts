import { expect } from 'chai';
import { mentionsIn, typedMention } from '../src/mentions.ts';

const team = ['ali', 'ali.k', 'Noura', 'علي', '李明', '李明华', '민수', 'สมชาย', 'fine', 'a-b'];
const found = (text: string) => mentionsIn(text, team).map(({ username }) => username);

describe('mentions in a note', () => {
  it('finds usernames in any script, case and width', () => {
    for (const [text, usernames] of [
      ['@ali please call', ['ali']],
      ['Please, @NOURA, and (@ali)', ['Noura', 'ali']],
      ['@ali.', ['ali']],
      ['@ali.k knows, @a-b too', ['ali.k', 'a-b']],
      ['@علي، اتصل به', ['علي']],
      ['请@李明看一下', ['李明']],
      ['@李明华 和 @李明', ['李明华', '李明']],
      ['@민수에게', ['민수']],
      ['ถึง@สมชายนะ', ['สมชาย']],
      ['＠ａｌｉ', ['ali']],
      ['@no\u200bura', ['Noura']],
      ['@ﬁne', ['fine']],
      ['@ali @ali', ['ali', 'ali']],
    ] as const) {
      expect(found(text), text).to.deep.equal(usernames);
    }
  });

  it('takes no email address, longer word or unknown name for a mention', () => {
    for (const text of ['me@ali.example', 'x.@ali', '@alina', '@ali_', '@@', '@', 'ali', '@unknown', '@الي', '@عليا'])
      expect(found(text), text).to.deep.equal([]);
  });

  it('returns where each mention is', () => {
    const text = '😀 ask @ali and @李明.';
    expect(mentionsIn(text, team).map(({ from, to }) => text.slice(from, to))).to.deep.equal(['@ali', '@李明']);
  });

  it('takes no long time for the longest notes with the most signs', () => {
    const started = performance.now();
    for (const text of ['李@'.repeat(2500), ' @李'.repeat(1666), '@'.repeat(5000), ` @${'李'.repeat(4990)}`]) {
      mentionsIn(text, [...team, 'x'.repeat(100)]);
    }
    expect(performance.now() - started).to.be.below(800);
  });

  it('finds the username that is being typed before the caret', () => {
    expect(typedMention('Hi @no', 6)).to.deep.equal({ from: 3, typed: 'no' });
    expect(typedMention('Hi @', 4)).to.deep.equal({ from: 3, typed: '' });
    expect(typedMention('@李', 2)).to.deep.equal({ from: 0, typed: '李' });
    expect(typedMention('Hi @no and', 10)).to.equal(undefined);
    expect(typedMention('me@ali', 6)).to.equal(undefined);
    expect(typedMention('Hi @no', 2)).to.equal(undefined);
    expect(typedMention('', 0)).to.equal(undefined);
  });
});
