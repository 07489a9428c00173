import { careersArt, trainingArt } from '@dune-tide/domain/art/careers';
import { careers, jobPostings, trainingPrograms } from '@dune-tide/domain/content/careers';
import { jobTitles } from '@dune-tide/domain/forms/career-application';
import { expect } from 'chai';
import { describeDrawing } from './describe-drawing.ts';

describe('job postings', () => {
  it('have the agreed texts', () => {
    expect(
      jobPostings.map(({ title, department, locations, type, salary }) => [
        title,
        department,
        locations.join(' / '),
        type,
        salary,
      ]),
    ).to.deep.equal([
      ['Senior UGC Content Creator', 'Creative', 'Riyadh', 'Full-time', '15,000-25,000 SAR'],
      ['Full Stack Developer', 'Development', 'Cape Town / Remote', 'Full-time', 'R45,000-R65,000'],
      ['Lead Generation Specialist', 'Marketing', 'Riyadh', 'Full-time', '12,000-20,000 SAR'],
      ['Junior Developer Internship', 'Development', 'Riyadh / Cape Town', 'Internship', 'Paid'],
    ]);
  });

  it('are the positions of the application form', () => {
    expect(jobPostings.map(({ title }) => title)).to.deep.equal([...jobTitles]);
  });

  for (const { title, description, requirements } of jobPostings) {
    it(`have a description and requirements: ${title}`, () => {
      expect(description.length).to.be.within(80, 320);
      expect(requirements.length).to.be.within(3, 6);
      expect(new Set(requirements).size).to.equal(requirements.length);
    });
  }
});

describe('training programs', () => {
  it('have the agreed titles and lengths', () => {
    expect(trainingPrograms.map(({ title, weeks }) => `${title} (${weeks} weeks)`)).to.deep.equal([
      'UGC Mastery Program (8 weeks)',
      'MVP Development Bootcamp (12 weeks)',
      'Lead Generation Certification (6 weeks)',
    ]);
  });

  for (const { title, weeks, level, description, modules } of trainingPrograms) {
    describe(title, () => {
      it('has a level, a description and modules', () => {
        expect(level).not.to.equal('');
        expect(description.length).to.be.at.least(40);
        expect(modules.length).to.be.within(3, weeks);
        expect(new Set(modules).size).to.equal(modules.length);
      });

      it('has a drawing with a layer for each week', () => {
        expect(trainingArt[title].shapes).to.have.length(weeks);
      });

      describeDrawing(trainingArt[title]);
    });
  }
});

describe('careers page', () => {
  it('has three benefit tiles and its headings', () => {
    expect(careers.hero.benefits).to.have.length(3);
    expect([careers.name, careers.positions.heading, careers.training.heading]).to.deep.equal([
      'Careers and Training',
      'Open Positions',
      'Training Programs',
    ]);
    expect(careers.positions.apply).to.equal('Apply Now');
  });

  describe('picture', () => describeDrawing(careersArt));
});
