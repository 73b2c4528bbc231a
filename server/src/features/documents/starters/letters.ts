import type { MediatorType, Region } from "@app/shared/regions";

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

const COURT = `
Before somebody applies to the court about children or money, the court usually expects them to have attended a mediation information and assessment meeting, called a MIAM, unless an exemption applies. The court may also ask what each of you has done to settle things without it.
`;

const invitation = (meeting: string, extra: string) => `${HEAD}
# An invitation to talk to us
{{invitation.request|We were asked to write to you.}} It is about {{invitation.matter|a matter that concerns you}}.
We are mediators. We help people to talk about what has to be settled, and to decide it themselves, at less cost and in less time than a court takes. We take no side, and we decide nothing.
## What we ask of you
Please come to ${meeting}. You meet the mediator alone, for about an hour. You hear how mediation works and what other ways there are, you can ask whatever you like, and you can say whether anything worries you. Afterwards you decide whether you want to go on. Coming commits you to nothing.
What you tell us there is confidential, except where somebody is at risk of harm or the law requires us to pass it on.
${extra}
## How to answer
Please let us know by {{invitation.replyBy}} whether you would like to come. A short answer is enough. If you do not want to mediate, or if mediation is not safe for you, please tell us that too; you do not have to say why.
If you need an interpreter, or anything that would make it easier for you to come, tell us and we will arrange it.
${FOOT}`;

const NO_RESPONSE = `${HEAD}
# We have had no answer
You asked us to invite the other participant to take part in mediation. We have written and tried to reach them, and gave them a day by which to answer. That day has passed, and we have heard nothing.
This does not mean that they have said no. People are sometimes away, unwell, or need more time. If they get in touch with us later, we will tell you.
## What you can do now
- You can wait, and ask us to write once more.
- You can write to them yourself, or have a lawyer write, if that is safe and you wish to.
- You can take legal advice about the other ways of settling the matter, such as arbitration, negotiation through lawyers, or an application to a court.
{COURT}
If anything has changed since we met, above all if you no longer feel safe, please tell us at once.
Please let us know how you would like to go on. If we hear nothing from you within four weeks, we will close our file. You can come back to us at any time.
${FOOT}`;

const COURT_NEXT = `If you think of applying to a court, ask us for a certificate that you attended a MIAM. It says that you attended and on which day, and can be used for four months from that day. Whether you still have to do something else before you apply is for you and your lawyer to look into.`;

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

/** The first meeting, as it is called in this kind of case. */
function meetingOf(kind: MediatorType, region: Region): string {
  if (kind === "family")
    return region === "england_wales" ? "a mediation information and assessment meeting (MIAM)" : "a first meeting";
  return kind === "workplace" ? "an individual meeting" : "a first conversation";
}

const expectsMiam = (kind: MediatorType, region: Region) => kind === "family" && region === "england_wales";

export const invitationText = (kind: MediatorType, region: Region): string =>
  invitation(meetingOf(kind, region), expectsMiam(kind, region) ? COURT : "");
export const noResponseText = (kind: MediatorType, region: Region): string =>
  NO_RESPONSE.replace("{COURT}", expectsMiam(kind, region) ? COURT_NEXT : "");
export const feeText = (): string => FEES;
