import { engagementArt, kingroseArt, kingroseServiceArt, nicheArt } from '@dune-tide/domain/art/kingrose';
import { home } from '@dune-tide/domain/content/home';
import { kingrose, kingroseNiches, kingroseServices, kingroseSteps } from '@dune-tide/domain/content/kingrose';
import { discoveryInterests } from '@dune-tide/domain/forms/discovery';
import { expect } from 'chai';
import { describeDrawing } from './describe-drawing.ts';

describe('KingRose', () => {
  it('addresses investment firms and municipalities', () => {
    expect(kingroseNiches.map(({ title }) => title)).to.deep.equal(['Investment firms', 'Municipalities']);
  });

  it('contains only the agreed prices', () => {
    expect(kingrose.about.scale.range).to.deep.equal({ price: '$10k-$20k', title: 'AI tools' });
    expect(kingroseNiches.map(({ example }) => `${example.price} ${example.title}`)).to.deep.equal([
      '$20k Due diligence example',
      '$15k Municipal solution',
    ]);
    const texts = JSON.stringify([kingrose, kingroseNiches, kingroseServices, kingroseSteps]);
    expect(new Set(texts.match(/\$[\d,]+k?(?:-\$[\d,]+k?)?/g))).to.deep.equal(new Set(['$10k-$20k', '$15k', '$20k']));
    expect(texts).not.to.match(/\d+ ?%/);
  });

  it('has a service card for each of the first six interests of the form', () => {
    expect(kingroseServices.map(({ title }) => title)).to.deep.equal(
      discoveryInterests.slice(0, 6).map(({ value }) => value),
    );
  });

  it('has the same five steps as the home page', () => {
    expect(kingroseSteps.map(({ title }) => title)).to.deep.equal(home.engagement.steps.map(({ title }) => title));
  });

  it('has four reasons to partner', () => {
    expect(kingrose.why.reasons).to.have.length(4);
  });

  describe('picture', () => describeDrawing(kingroseArt));
  describe('engagement', () => describeDrawing(engagementArt));
  for (const { slug } of kingroseNiches) describe(slug, () => describeDrawing(nicheArt[slug]));
  for (const { title } of kingroseServices) describe(title, () => describeDrawing(kingroseServiceArt[title]));
});
