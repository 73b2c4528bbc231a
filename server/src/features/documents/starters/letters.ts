const HEAD = `
{{practice.name}}
{{today}}
{if client.address}
{{client.fullName}}
{{client.address}}
{end}
Our reference: {{case.reference}}
{{client.salutation}},
`;
const FOOT = `
Yours sincerely,
{{sender.name}}
{{practice.name}}
`;

const INVITATION = `${HEAD}
# An invitation to talk to us
{{invitation.request|We are writing to you as mediators.}} It is about {{invitation.matter|a matter that concerns you}}.
We are mediators. We help people to talk about what has to be settled, and to decide it themselves, at less cost and in less time than a court takes. We take no side, and we decide nothing.
## What we ask of you
{unless invitation.metOn}
Please come to {{invitation.meeting}}. You meet the mediator alone, for about an hour. You hear how mediation works and what other ways there are, you can ask whatever you like, and you can say whether anything worries you. Afterwards you decide whether you want to go on. Coming commits you to nothing.
What you tell us there is confidential, except where somebody is at risk of harm or the law requires us to pass it on.
{if invitation.court}
{{invitation.court}}
{end}
{end}
{if invitation.metOn}
You came to {{invitation.meeting}} on {{invitation.metOn}}. Please tell us whether you would like to go on with mediation. If you would like to talk to the mediator alone before you decide, we will arrange it. If anything has changed since then, above all if you do not feel safe, please tell us that first.
{end}
## How to answer
{unless invitation.metOn}
Please let us know by {{invitation.replyBy}} whether you would like to come. A short answer is enough. If you do not want to mediate, or if mediation is not safe for you, please tell us that too; you do not have to say why.
{end}
{if invitation.metOn}
A short answer is enough. If you do not want to mediate, or if mediation is not safe for you, please tell us that too; you do not have to say why.
{end}
If you need an interpreter, or anything that would make it easier for you to come, tell us and we will arrange it.
${FOOT}`;

const NO_RESPONSE = `${HEAD}
# Where things stand
{{silence.words}}
This does not mean that they have said no. People are sometimes away, unwell, or need more time. If they get in touch with us later, we will tell you.
## What you can do now
- You can wait, and ask us to write once more.
- You can write to them yourself, or have a lawyer write, if that is safe and you wish to.
- You can take legal advice about the other ways of settling the matter, such as arbitration, negotiation through lawyers, or an application to a court.
{if case.certificateNext}
{{case.certificateNext}}
{end}
If anything has changed, above all if you do not feel safe, please tell us at once.
Please let us know how you would like to go on. If we hear nothing from you within four weeks, we will close our file. You can come back to us at any time.
${FOOT}`;

const FEES = `${HEAD}
# What mediation costs
This letter says what we charge, what for, and when it is to be paid. Please read it with the agreement to mediate, and ask us if anything is not clear.
## Our fees
| What/300 | Fee/120 | Who pays/140 |
| First meeting, each person | {{fill.firstMeetingFee}} | You |
| Joint session, each person, per hour | {{fill.sessionFeePerHour}} | You |
| Reading and preparing papers, per hour | {{fill.preparationFeePerHour}} | {{fill.whoPaysForPreparation}} |
| Summary or memorandum | {{fill.fixedFeeForWriting}} | {{fill.whoPaysForWriting}} |
Value added tax: {{fill.whetherTaxIsIncluded}}.
## When to pay
Please pay before each meeting or session. You pay for your own share only, and we send you accounts for it alone.
## If you cannot come
Please tell us as early as you can. If a meeting is cancelled less than {{fill.noticeForCancelling}} before it begins, we charge {{fill.feeForCancelling}}, unless there was a reason that nobody could have foreseen.
## Help with the cost
You may be able to get help towards the cost, such as legal aid, a voucher or support by an employer. Tell us if you think that this may apply to you: we will say what we need to see.
${FOOT}`;

export const invitationText = (): string => INVITATION;
export const noResponseText = (): string => NO_RESPONSE;
export const feeText = (): string => FEES;
