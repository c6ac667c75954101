; Read after ../javascript/shared.scm.

; Definitions
(class_declaration name: (type_identifier) @name) @definition.class
(abstract_class_declaration name: (type_identifier) @name) @definition.class
(interface_declaration name: (type_identifier) @name) @definition.interface
(type_alias_declaration name: (type_identifier) @name) @definition.type
(enum_declaration name: (identifier) @name) @definition.enum
(enum_body name: (_) @name @definition.enum-member)
(enum_assignment name: (_) @name) @definition.enum-member
(internal_module name: (_) @name) @definition.namespace
(module name: (_) @name) @definition.namespace
(function_signature name: (identifier) @name) @definition.function
(class_body (method_definition name: (_) @name return_type: (type_annotation (_) @type)?) @definition.method)
(class_body (method_signature name: (_) @name) @definition.method)
(class_body (abstract_method_signature name: (_) @name) @definition.method)
(interface_body (method_signature name: (_) @name return_type: (type_annotation (_) @type)?) @definition.method)
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @definition.method
(public_field_definition name: (_) @name type: (type_annotation (_) @type)) @definition.field
(public_field_definition name: (_) @name value: (new_expression constructor: (identifier) @type)) @definition.field
(public_field_definition name: (_) @name) @definition.field
(required_parameter (accessibility_modifier) pattern: (identifier) @name type: (type_annotation (_) @type)?) @definition.field
(required_parameter "readonly" pattern: (identifier) @name type: (type_annotation (_) @type)?) @definition.field
(interface_body (property_signature name: (_) @name type: (type_annotation (_) @type)?) @definition.property)
(type_alias_declaration value: (object_type (property_signature name: (_) @name type: (type_annotation (_) @type)?) @definition.property))
(type_alias_declaration value: (object_type (method_signature name: (_) @name) @definition.method))
(variable_declarator type: (type_annotation (object_type (property_signature name: (_) @name type: (type_annotation (_) @type)?) @definition.property)))
(variable_declarator type: (type_annotation (object_type (method_signature name: (_) @name) @definition.method)))
(lexical_declaration "const" (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @definition.constant)
(lexical_declaration "let" (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @definition.variable)
(variable_declaration (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @definition.variable)

; Modules
(import_statement (import_require_clause (identifier) @import.local source: (string (string_fragment) @import.module)))
(export_statement (identifier) @export)

; Heritage and types
(extends_clause value: (identifier) @reference.extends)
(extends_clause value: (member_expression object: (_) @receiver property: (property_identifier) @reference.extends))
(extends_clause value: (call_expression function: (identifier) @reference.call))
(implements_clause (type_identifier) @reference.implements)
(implements_clause (generic_type name: (type_identifier) @reference.implements))
(implements_clause (nested_type_identifier module: (_) @receiver name: (type_identifier) @reference.implements))
(implements_clause (generic_type name: (nested_type_identifier module: (_) @receiver name: (type_identifier) @reference.implements)))
(extends_type_clause type: (type_identifier) @reference.extends)
(extends_type_clause type: (generic_type name: (type_identifier) @reference.extends))
(extends_type_clause type: (nested_type_identifier module: (_) @receiver name: (type_identifier) @reference.extends))
(nested_type_identifier module: (_) @receiver name: (type_identifier) @reference.type)
(type_identifier) @reference.type

; What binds names
[(class_declaration) (abstract_class_declaration) (class) (interface_declaration) (type_alias_declaration) (function_signature) (method_signature) (abstract_method_signature) (call_signature) (construct_signature) (function_type) (constructor_type) (index_signature) (conditional_type)] @scope
(required_parameter pattern: (identifier) @local type: (type_annotation (_) @type)?)
(optional_parameter pattern: (identifier) @local type: (type_annotation (_) @type)?)
(variable_declarator name: (identifier) @local type: (type_annotation (_) @type))
(type_parameter name: (type_identifier) @local)
(mapped_type_clause name: (type_identifier) @local)
(infer_type (type_identifier) @local)
