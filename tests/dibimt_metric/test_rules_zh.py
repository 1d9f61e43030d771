"""Chinese phenomena with the builtin segmenters: what is found, and what must be left alone."""

from __future__ import annotations

from dibimt_metric.judge import Judge
from tests.dibimt_metric.phenomena import Case, check, judged


def _zh(good: str, bad: str, text: str, label: str, rule: str | None = None) -> Case:
    return Case("zh", good, bad, text, label, rule)


SEGMENTS = [
    # One segment, several segments.
    _zh("银行", "", "他在银行工作。", "GOOD"),
    _zh("蝙蝠", "球棒", "洞里飞出一只蝙蝠。", "GOOD"),
    _zh("球棒", "蝙蝠", "他用球棒击球。", "GOOD"),
    _zh("河岸", "", "我们坐在河岸上。", "GOOD"),
    _zh("美国总统", "", "他见到了美国总统。", "GOOD"),
    _zh("大学图书馆", "", "她在大学图书馆看书。", "GOOD"),
    _zh("洗干净", "", "请把衣服洗干净。", "GOOD"),
    _zh("章鱼触手", "", "他害怕章鱼触手。", "GOOD"),
    # Traditional characters and variants.
    _zh("银行", "", "他在銀行工作。", "GOOD"),
    _zh("銀行", "", "他在银行工作。", "GOOD"),
    _zh("发展", "头发", "經濟發展得很快。", "GOOD"),
    _zh("头发", "发展", "她剪短了頭髮。", "GOOD"),
    _zh("海豹", "", "水族館裡有一隻海豹。", "GOOD"),
    _zh("着急", "", "他很著急。", "GOOD"),
    _zh("著名", "", "他是著名的作家。", "GOOD"),
    _zh("著名", "", "他是着名的作家。", "GOOD"),
    _zh("皇后", "后面", "皇后走進了王宮。", "GOOD"),
    # As inventories write them.
    _zh("受+骗", "", "他从不受骗。", "GOOD"),
    _zh("投资+银行", "", "她在投资银行上班。", "GOOD"),
    _zh("改变 主意", "", "她突然改变主意。", "GOOD"),
    _zh("中央 + 银行", "", "这是中央银行的决定。", "GOOD"),
    # Never a part of a longer dictionary word, never across words.
    _zh("和服", "", "公司提供各种产品和服务。", "MISS"),
    _zh("银行", "", "投资银行破产了。", "MISS"),
    _zh("岸", "", "他们沿着河岸散步。", "MISS"),
    _zh("学生", "", "这是大学生活的一部分。", "MISS"),
    _zh("人中", "", "这个人中等身材。", "MISS"),
    _zh("子女", "", "那个男子女装打扮。", "MISS"),
    _zh("海豹", "", "他买了海报。", "MISS"),
]

WILDCARDS = [
    _zh("把 * 洗干净", "", "他把所有的衣服洗干净了。", "GOOD"),
    _zh("从 * 出发", "", "我们从北京出发。", "GOOD"),
    _zh("在 * 期间", "", "在战争期间，他失去了家人。", "GOOD"),
    _zh("打*电话", "", "他打了好几个电话。", "GOOD"),
    _zh("打*电话", "", "他打电话。", "GOOD"),
    _zh("把 * 洗干净", "", "他把衣服拿走了。她洗干净了手。", "MISS"),
    _zh("把 * 洗干净", "", "他把衣服拿走了！她洗干净了手。", "MISS"),
    _zh("在 * 期间", "", "这期间他在家。", "MISS"),
]

ASPECT = [
    # Between a verb and its object.
    _zh("跑步", "", "他跑了步就回家。", "GOOD", "aspect"),
    _zh("结婚", "", "他们结过婚。", "GOOD", "aspect"),
    _zh("结婚", "", "他們結過婚。", "GOOD", "aspect"),
    _zh("见面", "", "我们昨天见了面。", "GOOD", "aspect"),
    _zh("唱歌", "", "孩子们唱着歌走进来。", "GOOD", "aspect"),
    _zh("洗澡", "", "她洗了个澡。", "GOOD", "aspect"),
    _zh("打电话", "", "他打了个电话给我。", "GOOD", "aspect"),
    _zh("打电话", "电话", "他打了电话。", "GOOD", "aspect"),
    _zh("生气", "", "他生过气。", "GOOD", "aspect"),
    _zh("受+骗", "", "他又受了骗。", "GOOD", "aspect"),
    _zh("改变主意", "", "他后来改变了主意。", "GOOD", "aspect"),
    _zh("取得 成功", "", "他们终于取得了成功。", "GOOD", "aspect"),
    # After a verb, with which the segmenter joins it.
    _zh("飞", "飞机", "一只蝙蝠飞过。", "GOOD", "aspect"),
    _zh("穿", "", "她穿着一件红色的外套。", "GOOD", "aspect"),
    _zh("穿", "", "她穿著一件紅色的外套。", "GOOD", "aspect"),
    _zh("拍", "", "他轻轻拍了拍狗。", "GOOD", "aspect"),
    _zh("看", "", "让我看一看。", "GOOD", "aspect"),
    _zh("洋溢", "", "房间里洋溢着欢乐。", "GOOD", "aspect"),
    _zh("打", "", "他打了个喷嚏。", "GOOD", "aspect"),
    # No aspect particle.
    _zh("通", "", "他通过了考试。", "MISS"),
    _zh("除", "", "除了他，大家都来了。", "MISS"),
    _zh("随", "", "随着时间的推移，一切都变了。", "MISS"),
    _zh("名", "", "他是著名的作家。", "MISS"),
    _zh("为", "", "为了孩子，她留了下来。", "MISS"),
    _zh("超", "", "他超过了我。", "MISS"),
    _zh("难", "", "他感到很难过。", "MISS"),
    # Not the parts of one expression.
    _zh("投资银行", "", "他投资了银行。", "MISS"),
    _zh("跑步", "", "他跑得很快，一步也不停。", "MISS"),
    _zh("结婚", "", "结果过了婚期。", "MISS"),
]

LONGEST = [
    _zh("河岸", "岸", "他们沿着河岸散步。", "GOOD"),
    _zh("岸", "河岸", "他们沿着河岸散步。", "BAD"),
    _zh("投资银行", "银行", "投资银行破产了。", "GOOD"),
    _zh("银行", "投资银行", "投资银行破产了。", "BAD"),
    _zh("美国总统", "总统", "他见到了美国总统。", "GOOD"),
    _zh("电影院", "电影", "我们去电影院看了。", "GOOD"),
    _zh("打电话", "打", "他打了个电话。", "GOOD", "aspect"),
    _zh("看书", "看", "他看着书睡着了。", "GOOD", "aspect"),
    _zh("银行", "河岸", "银行在河岸上。", "UNK"),
    _zh("银行", "河岸", "他什么也没说。", "MISS"),
    _zh("银行", "河岸", "", "MISS"),
    _zh("蝙蝠", "棒球 / 球棒", "他打棒球。", "BAD"),
]

WRITING = [
    # Full-width punctuation.
    _zh("银行", "", "他问：“银行在哪里？”", "GOOD"),
    _zh("银行", "", "（银行）已关闭！", "GOOD"),
    _zh("蝙蝠", "", "《蝙蝠》、《海豹》和《球棒》。", "GOOD"),
    # Latin letters and digits.
    _zh("卡拉OK", "", "他们去唱卡拉OK。", "GOOD"),
    _zh("卡拉OK", "", "他们去唱卡拉 ok。", "GOOD"),
    _zh("KTV", "", "我们去了KTV。", "GOOD"),
    _zh("KTV", "", "我们去了ＫＴＶ。", "GOOD"),
    _zh("T恤", "", "他穿着一件白色T恤。", "GOOD"),
    _zh("U盘", "", "文件在U盘里。", "GOOD"),
    _zh("3D打印", "", "他们用3D打印制作零件。", "GOOD"),
    _zh("AI", "", "我喜欢AIR乐队。", "MISS"),
    _zh("11", "", "这里有110人。", "MISS"),
    # Spaces inside.
    _zh("银行", "", "他在 银行 工作 。", "GOOD"),
    _zh("投资银行", "", "他在投资 银行上班。", "GOOD"),
    _zh("银行", "", "他在银\u200b行工作。", "GOOD"),
    _zh("银行", "", "他在银行\u3000工作。", "GOOD"),
]

CASES = [
    *SEGMENTS,
    *WILDCARDS,
    *ASPECT,
    *LONGEST,
    *WRITING,
]


def test_a_noun_takes_no_aspect_particle() -> None:
    case = _zh("[跑步 | n]", "", "他跑了步。", "MISS")
    check(case)


def test_spans_with_a_particle_between() -> None:
    text = "他打了个电话。"
    matches = judged(_zh("打电话", "", text, "GOOD")).matches
    assert {match.text for match in matches} == {"打了个电话"}


def test_one_segmentation_is_enough() -> None:
    # One takes 地爱 for an unknown word.
    case = _zh("爱上", "", "她疯狂地爱上他。", "GOOD")
    check(case)
    labels = [judged(case, Judge("zh", [name])).label.value for name in ("jieba", "jieba-dictionary")]
    assert sorted(labels) == ["GOOD", "MISS"]
