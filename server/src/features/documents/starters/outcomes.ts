export const SUMMARY = `
# Summary of our session
For {{parties.names}}. Our reference: {{case.reference}}. Mediator: {{mediator.name}}.
{if case.lastSessionNames}
This is a short record of the session on {{case.lastSession|the day on which we met}}, to which {{case.lastSessionNames}} came.
{end}
{unless case.lastSessionNames}
This is a short record of the session on {{fill.dayOfTheSession}}, to which {{fill.whoCame}} came.
{end}
It is without prejudice and binds nobody. If you remember something differently, please tell us, and we will talk about it at the beginning of the next session.
## What you talked about
- {{fill.firstTopic}}
## What you propose
{each proposals.lastSession}
| About/110 | What is proposed/260 | Proposed by/110 | How it stands/120 |
| {{each.proposalAbout}} | {{each.proposal}} | {{each.proposedBy}} | {{each.proposalState}} |
{end}
{unless proposals.lastSession}
| What/220 | Who does it/180 | By when/160 |
| {{fill.firstProposal}} | | |
{end}
## What is still open
- {{fill.firstOpenQuestion}}
## Until the next session
| Who/180 | What to do or bring/380 |
| {{fill.whoDoesWhat}} | |
## The next session
{if meeting.date}
We meet again on {{meeting.date}} at {{meeting.time}} ({{meeting.place|the place is still to be agreed}}).
{end}
{unless meeting.date}
{{fill.whenYouMeetNext}}
{end}
Please take independent legal advice on whatever you may want to make binding.
{{mediator.name}}
{{practice.name}}
`;

export const FAMILY_MOU = `
# Memorandum of understanding
Prepared by {{mediator.name}} of {{practice.name}} for {{parties.names}}, {{today}}. Our reference: {{case.reference}}.
> This memorandum is without prejudice. It records what you propose, for your lawyers and for yourselves. It is not an agreement and binds nobody. It is not to be shown to a court.
## Background
{if case.tookPart}
{{case.tookPart}}
{end}
{unless case.tookPart}
{{fill.whoCameToWhichSessions}}
{end}
The mediator takes no side and gives no advice.
{if case.adviceTold}
{{case.adviceTold}}
{end}
{unless case.adviceTold}
{{fill.whetherEachWasToldToTakeLegalAdvice}}
{end}
{if children}
The children are:
{each children}
- {{each.firstName}}, {{each.age|age not recorded}}
{end}
{end}
## What this is based on
{if finances.exchangedOn}
The proposals rest on the financial information that {{finances.names}} gave in mediation. It belongs in the open financial statement, which is a separate paper. The mediator has not checked it. If something of importance was left out or has changed, the proposals may no longer be fair.
{end}
{unless finances.exchangedOn}
The proposals rest on what each said in mediation. The mediator has not checked it.
{end}
{each finances.agreed}
{{finances.names}} work from the same values for these:
| What/170 | Whose/100 | Value/110 | How it is known/220 |
| {{each.thing}} | {{each.whose}} | {{each.value}} | {{each.source}} |
{end}
{if children}
## The children
### Where they live and when they are with each parent
{{fill.arrangementsForTheChildren}}
### Holidays and special days
{{fill.holidays}}
### Decisions, school and health
{{fill.decisions}}
{end}
{each proposals.agreed}
## Proposals reached
| About/110 | What is proposed/270 | Proposed by/110 | Reached on/110 |
| {{each.proposalAbout}} | {{each.proposal}} | {{each.proposedBy}} | {{each.proposalAgreedOn}} |
{end}
{unless proposals.agreed}
## The home
{{fill.proposalsForTheHome}}
## Savings, other property and debts
{{fill.proposalsForSavingsAndDebts}}
## Pensions
{{fill.proposalsForPensions}}
## Income and maintenance
{{fill.proposalsForIncome}}
## What it comes to
| What/260 | To whom/160 | Value/120 |
| {{fill.firstItem}} | | |
{end}
## Reasons
The reasons that were given for thinking these proposals fair: {{fill.reasons}}
## What is not settled
{{fill.whatIsNotSettled}}
## Next steps
- Each takes independent legal advice on these proposals.
- If everybody then wishes it, lawyers draw up what is needed to make them binding, such as a consent order.
- Until that is done, anybody can change their mind.
{{mediator.name}}, mediator
`;

export const OTHER_MOU = `
# What was proposed in mediation
Prepared by {{mediator.name}} of {{practice.name}} for {{parties.names}}, {{today}}. Our reference: {{case.reference}}.
> This is without prejudice. It records in good faith what those named have said they will do. It binds nobody, unless and until they make it binding with the advice that they need.
## 1. What it is about
{{fill.whatItIsAbout}}
## 2. What each will do
{each parties}
### {{each.fullName}}
- {{fill.whatTheyWillDo}}
{end}
## 3. How you will deal with difficulties
If something does not work as you hoped, you talk to each other first. If that does not help, you can come back to mediation.
## 4. Who gets a copy
{{fill.whoGetsACopy}}
## 5. When you look at it again
{{fill.dayOfReview}}
{{mediator.name}}, mediator
`;

export const FINANCES = `
# Open financial statement
Of {{parties.names}}, as of {{today}}. Our reference: {{case.reference}}. Mediator: {{mediator.name}}.
This statement sets out what each has disclosed in mediation. It is **open**: it can be shown to lawyers and to a court. It holds facts, and no proposals. It is not a form of any court.
The figures were given by those named. The mediator has not checked them. Where a figure is not agreed, both are shown.
{if finances.exchangedOn}
Financial disclosure was exchanged on {{finances.exchangedOn}}.
{each finances.property}
## Homes and land
| What/110 | Whose/80 | {{finances.first}}/80 | {{finances.second}}/80 | Value/85 | How it is known/165 |
| {{each.thing}} | {{each.whose}} | {{each.first}} | {{each.second}} | {{each.value}} | {{each.source}} |
{end}
{each finances.accounts}
## Bank accounts
| What/110 | Whose/80 | {{finances.first}}/80 | {{finances.second}}/80 | Value/85 | How it is known/165 |
| {{each.thing}} | {{each.whose}} | {{each.first}} | {{each.second}} | {{each.value}} | {{each.source}} |
{end}
{each finances.savings}
## Savings and investments
| What/110 | Whose/80 | {{finances.first}}/80 | {{finances.second}}/80 | Value/85 | How it is known/165 |
| {{each.thing}} | {{each.whose}} | {{each.first}} | {{each.second}} | {{each.value}} | {{each.source}} |
{end}
{each finances.business}
## Business interests
| What/110 | Whose/80 | {{finances.first}}/80 | {{finances.second}}/80 | Value/85 | How it is known/165 |
| {{each.thing}} | {{each.whose}} | {{each.first}} | {{each.second}} | {{each.value}} | {{each.source}} |
{end}
{each finances.other}
## Other things of value
| What/110 | Whose/80 | {{finances.first}}/80 | {{finances.second}}/80 | Value/85 | How it is known/165 |
| {{each.thing}} | {{each.whose}} | {{each.first}} | {{each.second}} | {{each.value}} | {{each.source}} |
{end}
{each finances.pensions}
## Pensions
| What/110 | Whose/80 | {{finances.first}}/80 | {{finances.second}}/80 | Value/85 | How it is known/165 |
| {{each.thing}} | {{each.whose}} | {{each.first}} | {{each.second}} | {{each.value}} | {{each.source}} |
{end}
{each finances.debts}
## Mortgages and debts
| What/110 | Whose/80 | {{finances.first}}/80 | {{finances.second}}/80 | Value/85 | How it is known/165 |
| {{each.thing}} | {{each.whose}} | {{each.first}} | {{each.second}} | {{each.value}} | {{each.source}} |
{end}
{each finances.income}
## Income each month
| What/110 | Whose/80 | {{finances.first}}/80 | {{finances.second}}/80 | Value/85 | How it is known/165 |
| {{each.thing}} | {{each.whose}} | {{each.first}} | {{each.second}} | {{each.value}} | {{each.source}} |
{end}
{each finances.outgoings}
## Spending each month
| What/110 | Whose/80 | {{finances.first}}/80 | {{finances.second}}/80 | Value/85 | How it is known/165 |
| {{each.thing}} | {{each.whose}} | {{each.first}} | {{each.second}} | {{each.value}} | {{each.source}} |
{end}
{each finances.totals}
## Together
| What/180 | Joint/130 | {{finances.first}}/100 | {{finances.second}}/100 | All/90 |
| {{each.thing}} | {{each.whose}} | {{each.first}} | {{each.second}} | {{each.value}} |
{end}
{each finances.open}
## What does not fit, or is still to come
| Question/600 |
| {{each.question}} |
{end}
{end}
{unless finances.exchangedOn}
## 1. The home and other property
| Property/170 | In whose name/120 | Value/90 | Mortgage/90 | How it is known/120 |
| {{fill.firstProperty}} | | | | |
## 2. What you hold together
| Account, policy or thing of value/260 | Value/110 | Day of the figure/110 | How it is known/120 |
| {{fill.firstJointAccount}} | | | |
{each parties}
## What {{each.fullName}} has
### Savings, investments and things of value
| What/260 | Value/110 | Day of the figure/110 | How it is known/120 |
| {{fill.savings}} | | | |
### Business interests
| What/260 | Value/110 | Day of the figure/110 | How it is known/120 |
| {{fill.businessInterests}} | | | |
### Pensions
| Scheme/260 | Cash equivalent/110 | Day of the figure/110 | How it is known/120 |
| {{fill.pensions}} | | | |
### Debts
| To whom/260 | Amount/110 | Day of the figure/110 | How it is known/120 |
| {{fill.debts}} | | | |
### Income
| From/260 | Each month, after tax/110 | Since when/110 | How it is known/120 |
| {{fill.income}} | | | |
### Outgoings
| For/260 | Each month/110 | Necessary or not/110 | How it is known/120 |
| {{fill.outgoings}} | | | |
{end}
## 3. Together
| What/260 | Total/140 |
| Property, less mortgages | {{fill.totalProperty}} |
| Savings and other assets, less debts | {{fill.totalSavings}} |
| Pensions | {{fill.totalPensions}} |
## 4. What is still to come
Papers or figures that were promised and are not here yet: {{fill.whatIsStillToCome}}
{end}
## Statement
Each of us confirms that this is full and true as far as we know, and that we will say so if something changes.
{each parties}
| Name/180 | Signature/260 | Date/120 |
| {{each.fullName}} | ___ | |
{end}
`;

export const PARENTING_PLAN = `
# Parenting plan
Made by {{parties.names}}, {{today}}. Our reference: {{case.reference}}.
This plan says how we want to bring up our children while we live apart. It is not a contract and no order of a court. We can change it together whenever the children need something else.
## 1. Our children
{if children}
{each children}
- {{each.firstName}}, {{each.age|age not recorded}}
{end}
{end}
We want them to feel loved by both of us and free to love both of us. We do not speak badly of each other in front of them, and we do not ask them to carry messages or to take sides.
## 2. Where they live, week by week
| Day/110 | Week one/225 | Week two/225 |
| Monday | | |
| Tuesday | | |
| Wednesday | | |
| Thursday | | |
| Friday | | |
| Saturday | | |
| Sunday | | |
From when this holds, and what we do if somebody is ill or late: {{fill.weekByWeek}}
## 3. Holidays and special days
| When/190 | This year/185 | Next year/185 |
| Winter holidays | | |
| Spring holidays | | |
| Summer holidays | | |
| Half terms | | |
| Birthdays | | |
| Religious and family days | | |
Travel abroad, and who keeps the passports: {{fill.travel}}
## 4. Handing over
Where, when and by whom, and what goes with the children: {{fill.handingOver}}
## 5. Keeping in touch
How the children talk to the parent they are not with, and how we talk to each other: {{fill.keepingInTouch}}
## 6. School
Who talks to the school, who goes to what, homework and clubs: {{fill.school}}
## 7. Health
Doctors, medicines, illness, and who is told when: {{fill.health}}
## 8. Religion and culture
{{fill.religionAndCulture}}
## 9. Money for the children
Regular costs and larger ones such as trips, clothes and clubs: {{fill.moneyForTheChildren}}
## 10. Phones, screens and the internet
{{fill.phonesAndScreens}}
## 11. New partners and the wider family
How the children meet new partners, and how they see grandparents and others who matter to them: {{fill.familyAndPartners}}
## 12. Decisions
Which decisions we make together, and which whoever has the children at the time makes alone: {{fill.decisions}}
## 13. If we do not agree
We talk about it, away from the children. If that does not help, we come back to mediation before we do anything else, unless somebody is not safe.
## 14. When we look at this again
{{fill.dayOfReview}}
{each parties}
| Name/180 | Signature/260 | Date/120 |
| {{each.fullName}} | ___ | |
{end}
`;
